"""What lessons would have caught in a history, had they been learned in its course."""
