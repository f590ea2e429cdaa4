"""Moves the hook's log into the history; stores every line once, even if killed and run again."""

from lessons.store import injection_files
from lessons.store.history.history import History


def fold(history: History, home: str) -> int:
    """Returns how many lines are new."""
    injection_files.rotate(home)
    files = injection_files.rotated(home)
    lines = [line for path in files for line in injection_files.lines_of(path)]
    new = 0
    if lines:
        with history.durable_transaction():
            new = history.injections.add(lines)
    injection_files.delete_settled(files)
    return new
