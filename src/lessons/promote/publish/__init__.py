"""Compiles lessons into the manifest and the hook index."""
