"""One scan and one watcher at a time for each data home; the lock of a process that died is free."""

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress

import msgspec

from lessons import paths
from lessons.errors import Busy
from lessons.store import files, fired
from lessons.store.files import locked


@contextmanager
def scanning(home: str, timeout: float = 0) -> Iterator[None]:
    """Raises Busy if another process holds it; the lock of a process that died is free."""
    with ExitStack() as held:
        try:
            held.enter_context(locked(paths.scan_lock_file(home), timeout))
        except Busy:
            raise Busy("Another scan is running: this one has nothing to do.") from None
        yield


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
            pid = (status := read_status(home)) and status.pid
            raise Busy(f"A watcher is running already{f' (process {pid})' if pid else ''}.") from None
        held.callback(_remove_status, home)
        yield


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
    files.write_bytes(_heartbeat_file(home), msgspec.json.encode(status))
    fired.touch(home, HEARTBEAT)


def read_status(home: str) -> WatchStatus | None:
    """Returns what the watcher wrote last; it may have died since."""
    try:
        with open(_heartbeat_file(home), "rb") as file:
            return msgspec.json.decode(file.read(), type=WatchStatus)
    except (OSError, msgspec.MsgspecError):
        return None


def _remove_status(home: str) -> None:
    with suppress(OSError):
        os.unlink(_heartbeat_file(home))


def _heartbeat_file(home: str) -> str:
    return f"{paths.fired_folder(home)}/{HEARTBEAT}"
