"""Triggers that a lesson about a mistake could have."""
