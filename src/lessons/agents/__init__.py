"""Everything that differs between coding agents: one folder each, with the same file names."""
