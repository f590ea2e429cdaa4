"""Reads and rotates the files of the hook's log: `injections.jsonl` and its rotated parts.

A hook opens the file, appends its lines and closes it. A hook that opened it just before the rotation still writes into
the rotated file. So every scan reads that again, until no hook can be writing to it any more.
"""

import glob
import os
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from hashlib import blake2b
from typing import NamedTuple

from lessons import paths
from lessons.store.logs import event_bytes, event_in

Event = dict[str, object]

# A hook lives for seconds; the machine may sleep in between.
SECONDS_UNTIL_DELETED = 86_400
_TRIES = 5


class Line(NamedTuple):
    """A whole line, its event, and a number that distinguishes it from all others."""

    key: int
    text: str
    event: Event


def rotate(home: str) -> None:
    """Renames the log, so that the next line starts a new file."""
    path = paths.injections_file(home)
    with suppress(FileNotFoundError):
        if os.path.getsize(path):
            os.rename(path, f"{path.removesuffix('.jsonl')}-{time.time_ns()}.jsonl")


def rotated(home: str) -> list[str]:
    return sorted(glob.glob(glob.escape(paths.injections_file(home).removesuffix(".jsonl")) + "-*.jsonl"))


def delete_settled(rotated_files: Iterable[str]) -> None:
    """Deletes those not written to for long; the caller has stored all their lines."""
    for path in rotated_files:
        with suppress(FileNotFoundError):
            if time.time() - os.path.getmtime(path) > SECONDS_UNTIL_DELETED:
                os.unlink(path)


def unfolded(home: str) -> list[Line]:
    """Returns every line of all files, in the order of writing."""
    for _ in range(_TRIES):
        before = rotated(home)
        lines = [line for path in (*before, paths.injections_file(home)) for line in lines_of(path)]
        if rotated(home) == before:  # otherwise the log was rotated while it was read
            break
    return lines


def count_new(home: str) -> int:
    """Returns how many lines the hook wrote since the last rotation."""
    return sum(1 for _ in lines_of(paths.injections_file(home)))


def lines_of(path: str) -> Iterator[Line]:
    """Yields whole lines; skips a last one that is still being written, and what a crash left of others."""
    try:
        with open(path, "rb") as file:
            content = file.read()
    except (FileNotFoundError, IsADirectoryError):
        return
    for line in content.splitlines(keepends=True):
        if line.endswith(b"\n") and (event := event_in(line.rstrip(b"\r\n"))) is not None:
            data = event_bytes(line.rstrip(b"\r\n"))
            key = int.from_bytes(blake2b(data, digest_size=8).digest(), "big", signed=True)
            yield Line(key, data.decode("utf-8", "replace"), event)
