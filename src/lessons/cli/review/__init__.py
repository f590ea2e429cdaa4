"""The screens and keys of `lessons review`."""
