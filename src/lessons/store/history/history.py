"""The history: every call that agents made and what was learned from it, behind methods that know no database."""

import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Self

from lessons import paths
from lessons.store.faults import describe
from lessons.store.history import calls, database, facts, sessions_to_mine, writer
from lessons.store.history.border import NotStorable, Part
from lessons.store.history.candidates import Candidates
from lessons.store.history.diagnoses import Diagnoses
from lessons.store.history.episodes import Episodes
from lessons.store.history.past_calls import PastCalls
from lessons.store.history.rows import Batch
from lessons.store.history.sessions import Sessions
from lessons.store.history.sessions_to_mine import SessionsToMine
from lessons.store.history.sources import Source, Sources
from lessons.store.history.threads import Thread, threads
from lessons.store.history.wordings import Wordings
from lessons.store.history.writer import Written

if TYPE_CHECKING:
    from lessons.store.history.find import Found, Query
    from lessons.store.history.salvage import Rescue

_LAST_FULL_SCAN = "lastFullScanAt"
_NOT_STORABLE = (sqlite3.IntegrityError, sqlite3.InterfaceError, sqlite3.DataError, ValueError)


class History(Part):
    """An open history. Get one from `opened`, `for_reading` or `rehearsal`."""

    def __init__(self, connection: sqlite3.Connection, home: str, path: str = "") -> None:
        """`path` is the file that messages name, where that is not the one in the data home."""
        path = path or paths.history_file(home)
        super().__init__(connection, path)
        self.home = home
        self.calls = PastCalls(connection, path)
        self.candidates = Candidates(connection, path)
        self.diagnoses = Diagnoses(connection, path)
        self.episodes = Episodes(connection, path)
        self.sessions = Sessions(connection, path)
        self.sessions_to_mine = SessionsToMine(connection, path)
        self.sources = Sources(connection, path)
        self.wordings = Wordings(connection, path)

    @classmethod
    @contextmanager
    def opened(cls, home: str) -> Iterator[Self]:
        """For writing; creates or migrates the file where that is needed."""
        with database.opened(home) as connection:
            yield cls(connection, home)

    @classmethod
    @contextmanager
    def for_reading(cls, home: str) -> Iterator[Self]:
        """Raises NotFound where there is no history, or one of an older version."""
        with database.for_reading(home) as connection:
            yield cls(connection, home)

    @classmethod
    @contextmanager
    def rehearsal(cls, home: str) -> Iterator[Self]:
        """A copy in a data home of its own, for a dry run; both are deleted at the end."""
        with database.rehearsal(home) as (connection, folder):
            yield cls(connection, folder, paths.history_file(home))

    def as_of(self, ended: set[str], calls_of: type[PastCalls] = PastCalls) -> "History":
        """The same history, with the calls of these sessions alone; what is added to `ended` appears.

        For asking what was known at a moment in the past. What was mined is not divided: episodes, candidates.
        """
        # No function of ours: what ^C raises in one would reach the caller as an error of the database.
        self._connection.create_function("has_ended", 1, ended.__contains__)
        past = History(self._connection, self.home, self._path)
        past.calls = calls_of(self._connection, self._path, "has_ended(session_id)")
        return past

    def put_fingerprints(self, fingerprint: Callable[[str], str]) -> None:
        """Makes the fingerprints of all errors anew."""
        calls.put_fingerprints(self._connection, fingerprint)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Stores all that is written inside, or nothing of it."""
        self.begin()
        try:
            yield
        except BaseException:
            self.rollback()
            raise
        self.commit()

    def begin(self) -> bool:
        """Begins a transaction unless one is open; returns whether it did."""
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
        """Inside a transaction: takes back what the tables cannot hold, and raises NotStorable."""
        self._connection.execute("SAVEPOINT part")
        try:
            yield
        except _NOT_STORABLE as fault:
            self._connection.execute("ROLLBACK TO part")
            self._connection.execute("RELEASE part")
            raise NotStorable(describe(fault)) from fault
        self._connection.execute("RELEASE part")

    def write(self, source: Source, batch: Batch) -> Written:
        """Stores one stretch of a transcript and how far that was read; its sessions are to be mined again."""
        names = [*(call.tool_use_id for call in batch.calls), *(result.tool_use_id for result in batch.results)]
        sessions_to_mine.add_known(self._connection, names, [prompt.key for prompt in batch.prompts])
        sessions_to_mine.add(self._connection, batch.sessions)
        return writer.write(self._connection, source, batch)

    def threads(self, sessions: Iterable[str]) -> Iterator[Thread]:
        """The calls and prompts of these sessions, one thread after the other."""
        yield from threads(self._connection, sessions)

    def search(self, query: "Query") -> "Found":
        """With words the best match first, without any the newest first."""
        from lessons.store.history.find import find

        return find(self._connection, query)

    def version(self) -> int:
        """The version of its tables."""
        return database.version_of(self._connection)

    def faults(self) -> list[str]:
        """What a check of the whole file finds wrong; empty for a sound one."""
        return database.faults_of(self._connection)

    def last_rescue(self) -> "Rescue | None":
        """What was saved the last time that this history was damaged."""
        from lessons.store.history import salvage

        return salvage.last(self._connection)

    def last_full_scan(self) -> str:
        return facts.get(self._connection, _LAST_FULL_SCAN)

    def full_scan_ended(self, moment: str) -> None:
        facts.put(self._connection, _LAST_FULL_SCAN, moment)
