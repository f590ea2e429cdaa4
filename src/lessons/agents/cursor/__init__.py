"""Cursor: its hooks as documented, not proven with the client."""
