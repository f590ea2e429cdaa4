"""One scan and one watcher at a time for each data home; the lock of a process that died is free."""

import os
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress

import msgspec

from lessons import paths
from lessons.errors import Busy
from lessons.store import files
from lessons.store.files import locked


class WatchStatus(msgspec.Struct, rename="camel"):
    """The state of the watcher; only numbers and times."""

    pid: int
    started_at: str
    sessions: int = 0  # written within the quiet time
    queued: int = 0  # files waiting to be read
    last_tick: str = ""
    mode: str = ""  # events, polling
    problem: str = ""  # a sentence, while something is wrong


def scanning(home: str, timeout: float = 0) -> AbstractContextManager[None]:
    """Raises Busy if another process scans."""
    return locked(paths.scan_lock_file(home), timeout, "Another scan is running: this one has nothing to do.")


@contextmanager
def only_watcher(home: str) -> Iterator[None]:
    """Raises Busy if another one runs."""
    process = f" (process {status.pid})" if (status := read_status(home)) else ""
    with locked(paths.watch_lock_file(home), 0, f"A watcher is running already{process}."):
        try:
            yield
        finally:
            with suppress(OSError):
                os.unlink(_status_file(home))


def is_watching(home: str) -> bool:
    if not os.path.exists(paths.watch_lock_file(home) + ".lock"):
        return False
    try:
        with locked(paths.watch_lock_file(home), 0):
            return False
    except Busy:
        return True


def write_status(home: str, status: WatchStatus) -> None:
    """Records that the watcher still runs, and how; raises OSError if it cannot be written."""
    files.write_bytes(_status_file(home), msgspec.json.encode(status))


def read_status(home: str) -> WatchStatus | None:
    """Returns what the watcher wrote last; it may have died since."""
    try:
        with open(_status_file(home), "rb") as file:
            return msgspec.json.decode(file.read(), type=WatchStatus)
    except (OSError, msgspec.MsgspecError):
        return None


def _status_file(home: str) -> str:
    return f"{paths.fired_folder(home)}/watch"
