"""Checks and completes a lesson before it is stored."""
