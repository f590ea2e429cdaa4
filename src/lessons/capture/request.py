"""What a scan is asked for, and how far it is."""

import time
from collections.abc import Callable

import msgspec

from lessons.capture.discover import Root
from lessons.store.consent import Consent


class Request(msgspec.Struct, frozen=True):
    """What is to be read, and how."""

    roots: list[Root]
    consent: Consent
    full: bool = False
    window: int = 8  # calls after a failure in which its fix is looked for
    processes: Callable[[int], int] = lambda size: 1  # how many, for so many bytes
    files: list[str] | None = None  # of all below the folders these alone
    clock: Callable[[], float] = time.time


class Progress(msgspec.Struct):
    """How far a scan is, for a bar."""

    total: int
    done: int = 0
    files: int = 0


Watch = Callable[[Progress], None]
