"""Stage 2: candidates and texts of people in, lessons and the published manifest out."""
