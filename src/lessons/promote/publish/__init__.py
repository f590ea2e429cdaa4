"""Lessons compiled into the manifest and the hook index."""
