"""The jobs for the processes that read files, and their results."""

import os
from typing import NamedTuple

import msgspec

from lessons.store.history.rows import Batch


class Known(msgspec.Struct, array_like=True):
    """How far a file was read before; nothing yet if the offset is 0."""

    offset: int = 0
    head: bytes = b""
    tail: bytes = b""
    memory: str = ""
    again: bool = False  # read it from the beginning anyway
    one_by_one: bool = False  # every record in a separate batch: one of them cannot be stored


class Job(msgspec.Struct, array_like=True):
    """A file and how far it was read."""

    agent: str
    path: str
    known: Known
    size: int = 0  # bytes that are to be read, as far as known
    here: bool = False  # only in the process that writes: a worker could not send what it read


class Problem(msgspec.Struct, array_like=True):
    """Why a file gave nothing (more): one of those below, or the system's message."""

    reason: str


FOREIGN = "foreign"  # of another agent
UNCLEAR = "unclear"  # nothing in it yet
REPLACED = "replaced"  # another file than before
GONE = "gone"  # deleted meanwhile
LOST = "lost"  # with the process that read it
UNSENT = "unsent"  # a worker read something that it cannot send


class Done(NamedTuple):
    """A result of a job: a batch, or the problem that ended it; `last` ends it too."""

    path: str
    part: Batch | Problem

    @property
    def last(self) -> bool:
        return isinstance(self.part, Problem) or self.part.state is not None


def processes_for(size: int) -> int:
    """Returns the number of processors, if there is enough to read to justify starting them."""
    return min(os.cpu_count() or 1, 8) if size >= 32 << 20 else 1
