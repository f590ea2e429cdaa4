"""Stage 2: turns candidates and texts of people into lessons, and publishes them."""
