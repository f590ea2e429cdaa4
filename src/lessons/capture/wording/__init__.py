"""The texts by which a person recognises a mistake and its fix."""
