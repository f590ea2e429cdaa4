"""What git tells about the work of a session."""
