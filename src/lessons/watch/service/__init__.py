"""Lets the platform start the watcher: a systemd user unit, or a launchd agent."""
