"""The request of a scan, and its progress."""

import time
from collections.abc import Callable

import msgspec

from lessons.capture.discover import Root
from lessons.store.consent import Consent


class Request(msgspec.Struct, frozen=True):
    """What to read, and how."""

    roots: list[Root]
    consent: Consent
    full: bool = False
    window: int = 8  # calls after a failure in which its fix is searched
    processes: Callable[[int], int] = lambda size: 1  # how many, for this many bytes
    files: list[str] | None = None  # of all below the folders, only these
    clock: Callable[[], float] = time.time


class Progress(msgspec.Struct):
    """The progress of a scan, for a bar."""

    total: int
    done: int = 0
    files: int = 0
    step: str = "Reading"


Watch = Callable[[Progress], None]
