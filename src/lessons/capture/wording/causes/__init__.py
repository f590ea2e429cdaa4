"""Words for mistakes whose cause the error names: one file for each cause."""
