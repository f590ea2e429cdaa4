"""Remembers what a session was shown, so that each lesson acts once."""
