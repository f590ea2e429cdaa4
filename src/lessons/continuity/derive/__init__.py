"""Derives what a session was doing from its transcript, one module per kind of information."""
