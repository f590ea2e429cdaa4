"""What should happen to a lesson next: one rule per file."""
