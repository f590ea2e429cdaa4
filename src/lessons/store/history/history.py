"""The history: every call that agents made and what was learned from it, behind methods without SQL."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING, Self

from lessons import paths
from lessons.store.history import database, sessions, write
from lessons.store.history.candidates import Candidates, StoredAnswers, StoredProposals
from lessons.store.history.compact import Compaction
from lessons.store.history.database import HistoryPart, NotStorable, get_fact, put_fact
from lessons.store.history.episodes import Diagnoses, Episodes, MemorySources
from lessons.store.history.ledger import Injections, Ledger
from lessons.store.history.past_calls import PastCalls
from lessons.store.history.rows import Batch
from lessons.store.history.sessions import SessionsToMine, StopHookRuns, StoredSessions
from lessons.store.history.sources import SegmentProgress, SourceFile, Sources
from lessons.store.history.write import Written
from lessons.store.logs import describe_fault as describe

if TYPE_CHECKING:
    from lessons.store.history.recovery import Rescue
    from lessons.store.history.redaction import Redaction
    from lessons.store.history.search import Query, SearchResult

_NOT_STORABLE = (sqlite3.IntegrityError, sqlite3.InterfaceError, sqlite3.DataError, ValueError)


class History(HistoryPart):
    """An open history. Get one from `opened`, `for_reading` or `rehearsal`."""

    def __init__(self, connection: sqlite3.Connection, home: str, path: str = "") -> None:
        """`path` is the file that messages name, if it is not the one in the data home."""
        path = path or paths.history_file(home)
        super().__init__(connection, path)
        self.home = home
        self.answers = StoredAnswers(connection, path)
        self.calls = PastCalls(connection, path)
        self.candidates = Candidates(connection, path)
        self.compaction = Compaction(connection, path)
        self.diagnoses = Diagnoses(connection, path)
        self.episodes = Episodes(connection, path)
        self.injections = Injections(connection, path)
        self.ledger = Ledger(connection, path)
        self.memory = MemorySources(connection, path)
        self.progress = SegmentProgress(connection, path)
        self.proposals = StoredProposals(connection, path)
        self.sessions = StoredSessions(connection, path)
        self.sessions_to_mine = SessionsToMine(connection, path)
        self.sources = Sources(connection, path)
        self.stop_hooks = StopHookRuns(connection, path)

    @classmethod
    @contextmanager
    def opened(cls, home: str) -> Iterator[Self]:
        with database.opened(home) as connection:
            yield cls(connection, home)

    @classmethod
    @contextmanager
    def for_reading(cls, home: str) -> Iterator[Self]:
        """Raises NotFound if there is no history, or one of an older version."""
        with database.for_reading(home) as connection:
            yield cls(connection, home)

    @classmethod
    @contextmanager
    def rehearsal(cls, home: str) -> Iterator[Self]:
        """Yields a copy in a separate data home, for a dry run; deletes both at the end."""
        with database.rehearsal(home) as (connection, folder):
            yield cls(connection, folder, paths.history_file(home))

    def as_of(self, ended: set[str]) -> "History":
        """Returns the same history, limited to the calls of these sessions; a live view of `ended`.

        Use it to ask what was known at a moment in the past. Episodes and candidates are not limited.
        """
        # Not a function of ours: ^C inside one would reach the caller as an error of the database.
        self._connection.create_function("has_ended", 1, ended.__contains__)
        past = History(self._connection, self.home, self._path)
        past.calls = PastCalls(self._connection, self._path, "has_ended(session_id)")
        return past

    def put_fingerprints(self, fingerprint: Callable[[str], str]) -> None:
        """Recomputes those of all errors after a change of version."""
        self._connection.create_function("fingerprint_of", 1, fingerprint, deterministic=True)
        self._connection.execute(
            "UPDATE calls SET error_fingerprint = fingerprint_of(error)"
            " WHERE error <> '' AND error_fingerprint <> fingerprint_of(error)"
        )

    @contextmanager
    def durable_transaction(self) -> Iterator[None]:
        """Like `transaction`, for data that is stored nowhere else: it survives a power cut."""
        self._connection.execute("PRAGMA synchronous = FULL")
        try:
            with self.transaction():
                yield
        finally:
            self._connection.execute("PRAGMA synchronous = NORMAL")

    @contextmanager
    def transaction(self) -> Iterator[None]:
        self.begin()
        try:
            yield
        except BaseException:
            self.rollback()
            raise
        self.commit()

    def begin(self) -> bool:
        """Starts a transaction unless one is open; returns whether it did."""
        if self._connection.in_transaction:
            return False
        self._connection.execute("BEGIN IMMEDIATE")
        return True

    def commit(self) -> None:
        if self._connection.in_transaction:
            self._connection.execute("COMMIT")

    def rollback(self) -> None:
        if self._connection.in_transaction:
            self._connection.execute("ROLLBACK")

    @contextmanager
    def storing(self) -> Iterator[None]:
        """Stores everything written inside, or nothing of it, within a transaction.

        Raises NotStorable for what the tables cannot hold.
        """
        self._connection.execute("SAVEPOINT part")
        try:
            yield
        except BaseException as fault:
            if self._connection.in_transaction:  # SQLite itself rolls back when the disk is full
                self._connection.execute("ROLLBACK TO part")
                self._connection.execute("RELEASE part")
            if isinstance(fault, _NOT_STORABLE):
                raise NotStorable(describe(fault)) from fault
            raise
        self._connection.execute("RELEASE part")

    @cached_property
    def redaction(self) -> "Redaction":
        from lessons.store.history.redaction import Redaction  # which imports this module

        return Redaction(self._connection, self._path)

    def write(self, source: SourceFile, batch: Batch, now: float = 0.0) -> Written:
        """Stores one stretch of a transcript and its end; queues its sessions for mining.

        `now` in seconds since 1970 is the moment from which the retry of a failed segment is counted.
        """
        names = [*(call.tool_use_id for call in batch.calls), *(result.tool_use_id for result in batch.results)]
        names += (diagnosis.tool_use_id for diagnosis in batch.diagnoses)
        prompts = [*(prompt.key for prompt in batch.prompts), *batch.withdrawn]
        active = batch.modified / 1e9
        # Also before it is written: a call may be about to move to another session.
        sessions.add_of(self._connection, "calls", "tool_use_id", names, active)
        sessions.add_of(self._connection, "prompts", "key", prompts, active)
        written = write.write(self._connection, source, batch, now)
        sessions.add_of(self._connection, "calls", "id", written.calls, active)
        sessions.add_of(self._connection, "prompts", "key", prompts, active)
        return written

    def search(self, query: "Query") -> "SearchResult":
        from lessons.store.history.search import find

        return find(self._connection, query)

    def version(self) -> int:
        return database.version_of(self._connection)

    def checked(self, seconds: float = float("inf")) -> database.CheckedFile:
        return database.checked(self._connection, seconds)

    def last_rescue(self) -> "Rescue | None":
        from lessons.store.history import recovery

        return recovery.last(self._connection)

    def fact(self, name: str) -> str:
        """Returns a single value about the history as a whole; empty if there is none."""
        return get_fact(self._connection, name)

    def put_fact(self, name: str, value: str) -> None:
        put_fact(self._connection, name, value)
