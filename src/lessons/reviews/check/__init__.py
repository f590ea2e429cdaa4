"""Lessons with content or path patterns, applied to files by the same matching as at a call."""
