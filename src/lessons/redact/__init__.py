"""Removes secrets from texts: everything that is stored passes through here."""
