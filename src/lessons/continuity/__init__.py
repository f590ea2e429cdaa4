"""What a session was doing, carried across compaction and the end of the session."""
