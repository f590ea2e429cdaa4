"""The file `watch-status.json`, and whether a watcher is running: one at a time for each data home."""

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress

import msgspec

from lessons import paths
from lessons.errors import Busy
from lessons.store import atomic, fired
from lessons.store.lock import locked

HEARTBEAT = "watch"  # a file in `fired/` that shows hooks that a watcher runs


class WatchStatus(msgspec.Struct, rename="camel"):
    """The state of the watcher; only numbers and times."""

    pid: int
    started_at: str
    sessions: int = 0  # written within the quiet time
    queued: int = 0  # files waiting to be read
    last_tick: str = ""
    mode: str = ""  # events, polling
    problem: str = ""  # a sentence, while something is wrong


@contextmanager
def only_watcher(home: str) -> Iterator[None]:
    """Raises Busy if another one runs; the lock of a process that died is free."""
    with ExitStack() as held:
        try:
            held.enter_context(locked(paths.watch_lock_file(home), 0))
        except Busy:
            pid = (status := read(home)) and status.pid
            raise Busy(f"A watcher is running already{f' (process {pid})' if pid else ''}.") from None
        held.callback(_remove, home)
        yield


def is_running(home: str) -> bool:
    if not os.path.exists(paths.watch_lock_file(home) + ".lock"):
        return False
    try:
        with locked(paths.watch_lock_file(home), 0):
            return False
    except Busy:
        return True


def write(home: str, status: WatchStatus) -> None:
    """Raises OSError if it cannot be written."""
    atomic.write_bytes(paths.watch_status_file(home), msgspec.json.encode(status))


def beat(home: str) -> None:
    """Records that the watcher still runs."""
    fired.touch(home, HEARTBEAT)


def read(home: str) -> WatchStatus | None:
    """Returns what the watcher wrote last; it may have died since."""
    try:
        with open(paths.watch_status_file(home), "rb") as file:
            return msgspec.json.decode(file.read(), type=WatchStatus)
    except (OSError, msgspec.MsgspecError):
        return None


def _remove(home: str) -> None:
    for path in (paths.watch_status_file(home), f"{paths.fired_folder(home)}/{HEARTBEAT}"):
        with suppress(OSError):
            os.unlink(path)
