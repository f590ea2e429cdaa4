"""Sources that are not files of appended lines: databases, and documents that are rewritten as a whole.

Such a source is read whole whenever it has changed. Every record has a key of its own, so that reading it again changes
nothing, a call that has ended meanwhile is completed, and what is no longer in it stays in the history. An agent with
such sources has `STORE` and `FULL_STORE` in its `transcript.py`, beside the readers.
"""

from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from typing import NamedTuple, Protocol

from lessons.agents.base import Record
from lessons.agents.follow import Damaged
from lessons.agents.placed_reader import PlacedReader
from lessons.store.history.rows import FileState


class Held(NamedTuple):
    """A session in a store: its name among the sources, and a state that is another one once it has changed.

    The number in the state is the session's own where a store holds several; the time is in nanoseconds.
    """

    path: str
    state: FileState


class Piece(NamedTuple):
    """Some records of a session in their order, and about how many bytes they take."""

    records: Sequence[Record | Damaged]
    size: int


class Snapshot(NamedTuple):
    """A session as it is at one moment."""

    state: FileState
    pieces: Iterable[Piece]


class NotOurs(Exception):
    """What lies there is not this agent's."""


class Store(Protocol):
    """Nothing is ever written, and the agent may write at any time; OSError says why something cannot be read."""

    def store_of(self, path: str) -> str | None:
        """The store that a file, or a session by its name, is part of; empty: a file of lines; None: no transcript."""

    def state(self, store: str) -> FileState:
        """Of the store with all that lies beside it; equal again later, nothing in it has changed."""

    def sessions(self, store: str) -> Sequence[Held]:
        """All that are in it; one with the store's own name and state where it holds a single one."""

    def snapshot(self, path: str) -> AbstractContextManager[Snapshot]:
        """One of the sessions; raises NotOurs if it is not one."""


class NoLines(PlacedReader):
    """The reader of an agent whose every source is such a store: no file of it is read line by line."""

    def recognises(self, blocks: Iterable[bytes]) -> bool | None:
        return False

    def sound_records(self, data: bytes, position: int) -> list[Record] | None:
        return None

    def records(self, data: bytes, position: int) -> Sequence[Record | None]:
        return (None,)
