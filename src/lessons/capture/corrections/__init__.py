"""Permanent rules that people state after an agent's call."""
