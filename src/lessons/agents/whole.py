"""Sources that are not files of appended lines: databases, and documents that are rewritten as a whole.

Such a source is read completely whenever it has changed. Every record has its own key, so that reading it again changes
nothing. A call that has ended meanwhile is completed, and removed records stay in the history. An agent with such
sources has `STORE` and `FULL_STORE` in its `transcript.py`, beside the readers.
"""

from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from typing import NamedTuple, Protocol

from lessons.agents.base import Record
from lessons.agents.follow import Damaged
from lessons.agents.placed_reader import PlacedReader
from lessons.store.history.rows import FileState


class Held(NamedTuple):
    """A session in a store: its name among the sources, and a state that differs once it has changed.

    The number in the state is the session's own if a store has several; the time is in nanoseconds.
    """

    path: str
    state: FileState


class Piece(NamedTuple):
    """Some records of a session in order, and their approximate size in bytes."""

    records: Sequence[Record | Damaged]
    size: int


class Snapshot(NamedTuple):
    """A session at one point in time."""

    state: FileState
    pieces: Iterable[Piece]


class NotOurs(Exception):
    """The source is not this agent's."""


class Store(Protocol):
    """Never writes, and the agent may write at any time; OSError says why something cannot be read."""

    def store_of(self, path: str) -> str | None:
        """Returns the store of a file, or of a session by its name; empty: a file of lines; None: not a transcript."""

    def state(self, store: str) -> FileState:
        """Returns the state of the store and everything beside it; if it is equal later, nothing has changed."""

    def sessions(self, store: str) -> Sequence[Held]:
        """Returns all sessions in it; one with the store's own name and state if it has only one."""

    def snapshot(self, path: str) -> AbstractContextManager[Snapshot]:
        """Opens one of the sessions; raises NotOurs if it is not one."""


class NoLines(PlacedReader):
    """The reader of an agent with only such stores: reads no file line by line."""

    def recognises(self, blocks: Iterable[bytes]) -> bool | None:
        return False

    def sound_records(self, data: bytes, position: int) -> list[Record] | None:
        return None

    def records(self, data: bytes, position: int) -> Sequence[Record | None]:
        return (None,)
