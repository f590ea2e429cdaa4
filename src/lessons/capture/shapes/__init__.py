"""The shapes of errors: one file per kind of failure, by what programs print."""
