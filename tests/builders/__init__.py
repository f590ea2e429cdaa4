"""Lessons, payloads and data homes made in code, for the tests."""
