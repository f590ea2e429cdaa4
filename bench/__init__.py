"""What is measured, side by side with a floor, in one run."""
