"""Candidates become lessons, and back."""
