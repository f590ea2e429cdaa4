"""What a session was doing, one module for each thing that its transcript tells of it."""
