"""The process boundary: an agent's payload on stdin, the answer on stdout, always exit code 0."""
