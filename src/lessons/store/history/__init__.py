"""The file `history.db`: everything read from transcripts, kept permanently, in tables that anyone may query."""
