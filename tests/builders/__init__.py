"""Lessons, payloads and data homes built in code, for the tests."""
