"""Files of the data home: one module owns each of them."""
