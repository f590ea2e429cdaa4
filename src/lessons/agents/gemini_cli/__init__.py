"""Gemini CLI: hooks in its settings, and the sessions that it keeps below ~/.gemini/tmp."""
