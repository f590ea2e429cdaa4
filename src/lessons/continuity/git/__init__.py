"""Git information about the work of a session."""
