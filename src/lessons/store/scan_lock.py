"""Locks the history of a data home, so that one scan runs at a time."""

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from datetime import datetime

import msgspec

from lessons import paths
from lessons.errors import Busy
from lessons.store.lock import locked


class Holder(msgspec.Struct):
    """The process that holds the lock, for the message about waiting."""

    pid: int
    since: str


@contextmanager
def scanning(home: str, timeout: float = 0) -> Iterator[None]:
    """Raises Busy if another process holds it; the lock of a process that died is free."""
    base = paths.scan_lock_file(home)
    note = base + ".running.json"
    with ExitStack() as held:
        try:
            held.enter_context(locked(base, timeout))
        except Busy:
            raise Busy(f"Another scan is running{_holder_text(note)}: this one has nothing to do.") from None
        holder = Holder(os.getpid(), f"{datetime.now().astimezone():%Y-%m-%d %H:%M:%S}")
        # Only a message for people: it need not survive a power cut.
        with os.fdopen(os.open(note, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            file.write(msgspec.json.encode(holder))
        held.callback(_remove, note)
        yield


def _remove(note: str) -> None:
    with suppress(OSError):
        os.unlink(note)


def _holder_text(note: str) -> str:
    try:
        with open(note, "rb") as file:
            holder = msgspec.json.decode(file.read(), type=Holder)
    except (OSError, msgspec.MsgspecError):
        return ""
    return f" (process {holder.pid}, since {holder.since})"
