"""Claude Code: its hook payloads and its settings file."""
