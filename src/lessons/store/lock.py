"""One writer at a time: a path in, the right to write it for as long as the context lasts."""

import os
from collections.abc import Iterator
from contextlib import contextmanager

import filelock

from lessons.errors import Busy


@contextmanager
def locked(path: str, timeout: float = 10) -> Iterator[None]:
    """Hold the lock file beside the path (beside the target of a link); a dead holder's lock is free."""
    target = os.path.realpath(path)
    os.makedirs(os.path.dirname(target), mode=0o700, exist_ok=True)
    lock = filelock.FileLock(target + ".lock", timeout=timeout, mode=0o600, poll_interval=0.02)
    try:
        lock.acquire()
    except filelock.Timeout:
        held = f"{path} is still being written by another process after {timeout:g} s"
        raise Busy(f"{held}: try again when it is done.") from None
    try:
        yield
    finally:
        lock.release()
