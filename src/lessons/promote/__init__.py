"""Stage 2: what a person wrote or approved in, lessons and the published manifest out."""
