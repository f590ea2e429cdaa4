"""Removes secrets from texts: everything that is stored goes through here."""
