"""The findings of `lessons check` in the formats of other programs."""
