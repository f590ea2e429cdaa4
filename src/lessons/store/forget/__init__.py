"""Deletes what the user wants forgotten from every file of the data home."""
