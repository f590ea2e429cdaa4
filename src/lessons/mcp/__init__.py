"""The MCP server: an agent may search lessons and the history, and report lessons; a person decides about them."""
