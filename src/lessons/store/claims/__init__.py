"""What a session was shown, told and remembers, so that each lesson acts once."""
