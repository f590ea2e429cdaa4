"""The process boundary: an agent's payload on stdin in, its answer on stdout out, always exit 0."""
