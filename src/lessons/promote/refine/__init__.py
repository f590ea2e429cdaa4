"""Lets an agent or a person write the lesson of a candidate; the history decides whether it is valid."""
