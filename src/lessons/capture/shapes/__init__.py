"""The shapes of errors: one file for each kind of failure, by what programs print."""
