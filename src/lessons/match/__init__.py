"""Matches triggers against calls: pure functions without imports, shared by hook, back-test and file checks."""
