"""Ranks, numbers and describes candidates for review."""
