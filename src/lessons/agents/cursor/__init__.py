"""Cursor: its hooks as documented, not tested with the client."""
