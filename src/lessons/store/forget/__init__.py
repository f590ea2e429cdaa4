"""What a person wants forgotten, deleted from every file of the data home."""
