"""Finds patterns that could take too long to match."""
