"""Starts the daily backup in a process of its own: nobody waits for a copy of a large history."""

import os
import sys
import traceback

from lessons import paths
from lessons.cli import render
from lessons.errors import LessonsError
from lessons.hook import background
from lessons.store import scan_log
from lessons.store.history import daily_backup


def is_awaited(as_json: bool) -> bool:
    """Whether a person waits for a scan; programs get their result after the backup."""
    return not as_json and render.can_ask()


def start(home: str) -> None:
    """Starts it if it is due; makes it in this process where no other can be started."""
    if daily_backup.start(home):
        arguments = ("backup", "create", "--auto")
        if background.start(home, "backup", sys.executable, *arguments) is None:
            make(home)


def make(home: str) -> None:
    """Logs faults: the next scan meets them too, and deals with them."""
    try:
        daily_backup.make(home)
    except LessonsError as refused:
        scan_log.record(home, f"No backup of {paths.history_file(home)} was made: {refused}")
    except Exception:
        scan_log.record(home, traceback.format_exc(limit=-3))


def make_with_low_priority() -> None:
    if hasattr(os, "nice"):
        os.nice(10)
    make(paths.data_home())
