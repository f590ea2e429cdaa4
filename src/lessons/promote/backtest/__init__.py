"""What a trigger would have done in the history."""
