"""All that differs between coding agents: one folder each, the same file names in each."""
