"""What is left to do after a scan: the daily backup, and what a scan prepares. Nobody waits for it if it takes long."""

import os
import sys
import time
import traceback

from lessons import paths
from lessons.cli import render
from lessons.errors import LessonsError
from lessons.hook import background
from lessons.store import fired, logs
from lessons.store.history import backups

# How long a scan prepares triggers for later verbs.
_SECONDS_IN_FOREGROUND = 1.0
SECONDS_IN_BACKGROUND = 60.0
_PREPARING = "prepare"  # a mark that is set when a process is started for it


def is_awaited(as_json: bool) -> bool:
    """Whether a person waits for a scan; a program gets its result when everything is done."""
    return not as_json and render.can_ask()


def prepare_now(home: str, awaited: bool) -> bool:
    """Prepares what later verbs need; returns False if a person would wait too long for it."""
    if awaited and backups.is_large(home):
        return False
    prepare(home, _SECONDS_IN_FOREGROUND)
    return True


def prepare(home: str, seconds: float) -> None:
    """Prepares triggers and back-tests, so that `candidates`, `review` and `init` need not."""
    began = time.monotonic()
    from lessons.promote.queue import prepare as prepare_for  # loaded only now: most scans find nothing new

    prepare_for(home, seconds - (time.monotonic() - began))


def start(home: str, prepares: bool = False) -> None:
    """Starts a process that does what is left: a backup that is due, and what is to be prepared."""
    is_due = backups.start(home)
    if is_due or (prepares and _may_prepare(home)):
        started = background.start(home, "scan", sys.executable, "scan", "--finish")
        if is_due and started is None:
            _back_up(home)


def _may_prepare(home: str) -> bool:
    """Whether no other process does it already."""
    begun = fired.last(home, _PREPARING)
    if begun is not None and abs(time.time() - begun) < SECONDS_IN_BACKGROUND:
        return False
    fired.touch(home, _PREPARING)
    return True


def finish() -> None:
    """Does what is left, with low priority; logs faults. The next scan meets those of a backup and deals with them."""
    try:
        home = paths.data_home()
    except LessonsError:
        return  # without a data home there is no log either
    if hasattr(os, "nice"):
        os.nice(10)
    _back_up(home)
    try:
        prepare(home, SECONDS_IN_BACKGROUND)
    except LessonsError as refused:
        logs.record_scan(home, str(refused))
    except Exception:
        logs.record_scan(home, traceback.format_exc(limit=-3))


def _back_up(home: str) -> None:
    try:
        backups.make(home)
    except LessonsError as refused:
        logs.record_scan(home, f"No backup of {paths.history_file(home)} was made: {refused}")
    except Exception:
        logs.record_scan(home, traceback.format_exc(limit=-3))
