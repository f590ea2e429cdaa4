"""Error texts: cleaned, normalised and fingerprinted, with one definition of "the same error"."""
