"""The cases of a review for a user to decide, independent of how they are shown."""
