"""Command lines: splitting, words, wrappers, program and sub-command, which part is to blame."""
