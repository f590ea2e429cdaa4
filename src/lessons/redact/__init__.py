"""Texts that may hold secrets in, the same texts without them out: all that is stored goes through here."""
