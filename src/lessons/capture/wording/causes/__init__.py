"""Texts for mistakes whose cause the error names: one file per cause."""
