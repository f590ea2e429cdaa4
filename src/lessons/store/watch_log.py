"""The file `watch.log`: one JSON object per line for each event of the watcher; the oldest ones are dropped."""

import os
from contextlib import suppress
from datetime import UTC, datetime

import msgspec

from lessons import paths
from lessons.store.append import append_line
from lessons.store.atomic import replace

_LARGEST_LOG = 1 << 20


def record(home: str, event: str, **fields: object) -> None:
    """Never raises: a full disk must not end the watcher."""
    path = paths.watch_log_file(home)
    with suppress(OSError):
        with suppress(FileNotFoundError):
            if os.stat(path).st_size > _LARGEST_LOG:
                replace(path, path + ".1")
        moment = f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%S.%fZ}"
        line = {"time": moment, "pid": os.getpid(), "event": event, **fields}
        append_line(path, msgspec.json.encode(line).decode())


def read(home: str) -> list[dict[str, object]]:
    """Returns the events so far, oldest first; leaves out damaged lines."""
    try:
        with open(paths.watch_log_file(home), "rb") as file:
            lines = file.read().splitlines()
    except OSError:
        return []
    found = []
    for line in lines:
        with suppress(msgspec.MsgspecError):
            found.append(msgspec.json.decode(line, type=dict[str, object]))
    return found
