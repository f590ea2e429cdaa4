"""Files of the data home: each is owned by one module."""
