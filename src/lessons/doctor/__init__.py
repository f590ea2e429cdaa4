"""Checks of the installation, one file per subject."""
