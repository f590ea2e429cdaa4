"""The words by which a person recognises a mistake and its remedy."""
