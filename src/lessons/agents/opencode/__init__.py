"""opencode: our plugin in its plugins folder, and the database with its sessions."""
