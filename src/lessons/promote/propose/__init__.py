"""Proposes triggers for a lesson about a mistake."""
