"""opencode: a plugin of ours in its plugins folder, and the database in which it keeps its sessions."""
