"""The next step for a lesson: one rule per file."""
