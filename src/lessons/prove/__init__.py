"""Stage 4: what each lesson did, and what should happen to it next."""
