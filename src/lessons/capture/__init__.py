"""Stage 1: transcripts come in; history (calls with outcomes, redacted) and candidates go out."""
