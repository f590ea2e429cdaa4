"""The file `history.db`: what every transcript told, kept for ever, in tables that anyone may query."""
