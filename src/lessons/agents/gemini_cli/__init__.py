"""Gemini CLI: hooks in its settings, and its sessions below ~/.gemini/tmp."""
