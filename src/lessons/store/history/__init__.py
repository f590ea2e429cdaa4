"""The file `history.db`: everything read from transcripts, stored permanently, in tables that anyone may query."""
