"""Lessons that other systems keep in, drafts for our own review out: one file for each format."""
