"""Reads lessons of other systems as drafts: one file per format."""
