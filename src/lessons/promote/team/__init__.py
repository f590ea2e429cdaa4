"""Lessons that come with a project."""
