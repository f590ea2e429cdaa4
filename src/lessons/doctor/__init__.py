"""Checks of the installation, as values."""
