"""Reads lessons of other systems as drafts: one file for each format."""
