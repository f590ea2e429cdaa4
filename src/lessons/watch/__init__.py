"""Composes reading and mining into a watcher: sessions are read while they happen, and mined when they are quiet."""
