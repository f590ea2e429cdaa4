"""Applies lessons with content or path patterns to files, with the same matching as at a call."""
