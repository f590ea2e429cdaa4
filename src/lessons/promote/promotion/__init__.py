"""Turns candidates into lessons, and back."""
