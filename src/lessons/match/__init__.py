"""Trigger against call: pure functions that import nothing, shared by the hook, the back-test and file checks."""
