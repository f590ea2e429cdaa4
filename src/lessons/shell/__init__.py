"""Parses command lines: words, wrappers, program and sub-command, and the part to blame for a failure."""
