"""The state files of a project and of its sessions."""
