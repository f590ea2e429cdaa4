"""Stage 3: matches in, words for the agent out."""
