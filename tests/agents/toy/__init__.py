"""A made-up agent in the same form as the real ones: the test adds it to a copy of the package."""
