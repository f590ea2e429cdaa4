"""Candidates ranked, numbered and described for review."""
