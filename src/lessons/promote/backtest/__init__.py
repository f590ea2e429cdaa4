"""Tests what a trigger would have done in the history."""
