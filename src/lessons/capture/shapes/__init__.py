"""The shapes of errors: one file for each kind of failure, told by what the programs themselves write."""
