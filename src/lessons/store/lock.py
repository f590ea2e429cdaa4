"""Locks a path, so that one process writes at a time."""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager

from lessons.errors import Busy
from lessons.store.private_folder import make_private_folders

try:
    # The session waits for this lock before a compaction, and the library is slow to import.
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

_SECONDS_BETWEEN = 0.02


@contextmanager
def locked(path: str, timeout: float = 10) -> Iterator[None]:
    """Holds the lock file beside the path (beside the target of a link); the lock of a dead process is free."""
    target = os.path.realpath(path)
    make_private_folders(os.path.dirname(target))
    with (_held if fcntl else _held_by_library)(target + ".lock", path, timeout):
        yield


@contextmanager
def _held(lock_file: str, path: str, timeout: float) -> Iterator[None]:
    descriptor = os.open(lock_file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        give_up = time.monotonic() + timeout
        while not _taken(descriptor):
            if time.monotonic() >= give_up:
                raise _busy(path, timeout)
            time.sleep(_SECONDS_BETWEEN)
        try:
            yield
        finally:
            # Closing alone would leave the lock with processes forked meanwhile.
            fcntl.flock(descriptor, fcntl.LOCK_UN)
    finally:
        os.close(descriptor)


def _taken(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


@contextmanager
def _held_by_library(lock_file: str, path: str, timeout: float) -> Iterator[None]:
    import filelock

    lock = filelock.FileLock(lock_file, timeout=timeout, mode=0o600, poll_interval=_SECONDS_BETWEEN)
    try:
        lock.acquire()
    except filelock.Timeout:
        raise _busy(path, timeout) from None
    try:
        yield
    finally:
        lock.release()


def _busy(path: str, timeout: float) -> Busy:
    held = f"{path} is still being written by another process after {timeout:g} s"
    return Busy(f"{held}: try again when it is done.")
