"""Plain rows in, a history that holds them out, and all its tables as values that can be compared."""

import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from functools import cache
from typing import TypedDict, Unpack

from lessons.store.history import history as product
from lessons.store.history import search, write
from lessons.store.history.rows import (
    Batch,
    Call,
    DiagnosisRow,
    HookContext,
    Interrupt,
    Prompt,
    RecordOrigin,
    Result,
    SegmentRow,
    SessionRow,
    TagRow,
    TaskEndRow,
)
from lessons.store.history.schema import SCHEMA
from lessons.store.history.sources import SourceFile
from lessons.store.history.write import Written

Row = Call | Result | TaskEndRow | Interrupt | Prompt | HookContext | TagRow | DiagnosisRow | SegmentRow
LISTS: dict[type, str] = {
    Call: "calls",
    Result: "results",
    TaskEndRow: "task_ends",
    Interrupt: "interrupts",
    Prompt: "prompts",
    HookContext: "contexts",
    TagRow: "tags",
    DiagnosisRow: "diagnoses",
    SegmentRow: "segments",
}


class Place(TypedDict, total=False):
    """Which record a row comes from."""

    session: str
    agent_id: str
    position: int
    copied: bool
    time: str
    project: str
    uuid: str


def origin(place: Place) -> RecordOrigin:
    session, position = place.get("session", "s1"), place.get("position", 0)
    return RecordOrigin(
        uuid=place.get("uuid", f"u{position}"),
        session_id=session,
        agent_id=place.get("agent_id", ""),
        project=place.get("project", f"/of/{session}"),
        time=place.get("time", f"2026-01-01T00:00:{position % 60:02d}Z"),
        segment=0,
        position=position,
        copied=place.get("copied", False),
    )


def call(name: str, *, message: str = "m1", hides_exit: bool = False, block: int = 0, **place: Unpack[Place]) -> Call:
    where = origin(place)
    texts = (f"make {name}", "", f'{{"command":"make {name}"}}')
    return Call(
        where, name, message, block, False, where.project, "main", "x", "2", "Bash", "make", "", *texts, hides_exit
    )


def result(
    name: str,
    outcome: str = "ok",
    *,
    error: str = "",
    ended: str = "2026-01-01T00:01:00Z",
    uuid: str = "r1",
    task: str = "",
    session: str = "s1",
    code: int | None = None,
    suspicious: bool = False,
) -> Result:
    mark = f"print of {error}" if error else ""
    return Result(session, name, outcome, code, error, mark, suspicious, ended, uuid, task)


def end(
    outcome: str = "ok", *, task: str = "", name: str = "", session: str = "s1", ended: str = "t9", error: str = ""
) -> TaskEndRow:
    return TaskEndRow(
        session, task, name, outcome, 3 if error else None, error, f"print of {error}" if error else "", ended
    )


def tag(key: int, mark: str = "tag-a", *, confidence: float = 0.7, number: int = 0, **place: Unpack[Place]) -> TagRow:
    """Without a mark it is a withdrawal."""
    fields = f'{{"confidence":{confidence},"problem":"{mark}"}}' if mark else ""
    return TagRow(origin(place), key, f"m{key}", number, fields, mark)


def withdrawal(key: int, problem: str, **place: Unpack[Place]) -> TagRow:
    """Of the tag with this problem; the mark of a tag above is its problem too."""
    return TagRow(origin(place), key, f"m{key}", 0, json.dumps({"cancels": problem}), "")


def prompt(key: int, text: str = "do it", **place: Unpack[Place]) -> Prompt:
    return Prompt(origin(place), key, "main", text, "sure")


def context(key: int, text: str = "a note", **place: Unpack[Place]) -> HookContext:
    return HookContext(origin(place), key, "c1", "PreToolUse", "PreToolUse:Bash", text)


def diagnosis(key: int, text: str = "It was the flag.", call: str = "c1", **place: Unpack[Place]) -> DiagnosisRow:
    return DiagnosisRow(origin(place), key, call, 0, text)


def segment(number: int, start: int) -> SegmentRow:
    return SegmentRow(number, f"f-file.{number}", f"b{number}" if number else "", start)


def batch(rows: Iterable[Row], start: int = 0, end: int = 100, sessions: Sequence[SessionRow] = ()) -> Batch:
    """The first batch of a file brings its first segment, as reading does."""
    made = Batch(start=start, end=end)
    if start == 0:
        made.segments.append(segment(0, 0))
    for row in rows:
        getattr(made, LISTS[type(row)]).append(row)
    made.sessions = {row.session_id: row for row in sessions}
    return made


@cache
def _empty() -> bytes:
    """Made once: most of the time of a small test would go into the tables."""
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(SCHEMA + "INSERT INTO indexed VALUES (0, 0)")
        return connection.serialize()


class History:
    """A history, in memory where no other is given, and the files that were read into it."""

    def __init__(self, connection: sqlite3.Connection | None = None) -> None:
        self.connection = connection or sqlite3.connect(":memory:", isolation_level=None)
        if connection is None:
            self.connection.deserialize(_empty())
            self.connection.execute("PRAGMA foreign_keys = ON")
        self.product = product.History(self.connection, "")
        self.files: dict[str, SourceFile] = {}

    def file(self, path: str) -> SourceFile:
        if path not in self.files:
            self.files[path] = self.product.sources.add("claude-code", path)
        return self.files[path]

    def write(self, path: str, *rows: Row) -> Written:
        """Rows of one stretch, behind what was written of the file before."""
        source = self.file(path)
        return self.add(path, batch(rows, source.offset, source.offset + 100))

    def add(self, path: str, part: Batch) -> Written:
        return write.write(self.connection, self.file(path), part)

    def replaced(self, path: str) -> None:
        self.files[path] = self.product.sources.add("claude-code", path)

    def rows(self, sql: str, *values: object) -> list[tuple[object, ...]]:
        return self.connection.execute(sql, values).fetchall()

    def one(self, sql: str, *values: object) -> object:
        """The only value of the only row."""
        ((value,),) = self.rows(sql, *values)
        return value

    def outcome(self, name: str) -> object:
        return self.one("SELECT outcome FROM calls WHERE tool_use_id = ?", name)

    def found(self, words: str) -> list[str]:
        """What full-text search finds: the names of calls and the keys of prompts."""
        return sorted(name for term, _, name, _ in self._words() if term == words)

    def _words(self) -> list[tuple[str, int, str, int]]:
        search.catch_up(self.connection)
        self.connection.execute("CREATE VIRTUAL TABLE IF NOT EXISTS temp.terms USING fts5vocab(main, words, instance)")
        names: dict[object, str] = dict(self.rows("SELECT id, tool_use_id FROM calls"))  # type: ignore[arg-type]
        keys: dict[object, str] = dict(self.rows("SELECT id, 'prompt ' || key FROM prompts"))  # type: ignore[arg-type]
        rows = self.connection.execute("SELECT term, doc, offset FROM temp.terms").fetchall()
        return [(term, doc % 3, (keys if doc % 3 == 2 else names)[doc // 3], place) for term, doc, place in rows]

    def dump(self) -> dict[str, list[tuple[object, ...]]]:
        """Every table as sorted rows; ids of rows are left out, those of files are named by path and generation.

        Without the log of changed calls: what is read first, and changes later, depends on the order.
        """
        search.catch_up(self.connection)
        tables = [str(name) for (name,) in self.rows(_TABLES)]
        found = {table: sorted(self._dumped(table), key=repr) for table in tables}
        found["words"] = sorted(self._words())
        return found

    def _dumped(self, table: str) -> Iterator[tuple[object, ...]]:
        cursor = self.connection.execute(f"SELECT * FROM {table}")
        columns = [column[0] for column in cursor.description]
        for row in cursor:
            values = dict(zip(columns, row, strict=True))
            values.pop("id", None)
            if "source_id" in values:
                values["source_id"] = self._named("SELECT path, generation FROM sources WHERE id = ?", values)
            if "segment_id" in values:
                values["segment_id"] = self._named(_SEGMENT, values)
            yield tuple(values.values())

    def _named(self, sql: str, values: dict[str, object]) -> object:
        number = values["segment_id"] if "segment_id" in values else values["source_id"]
        return self.connection.execute(sql, (number,)).fetchone()


_TABLES = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'words%' AND name NOT LIKE 'sqlite%'"
_SEGMENT = "SELECT s.path, s.generation, g.number FROM segments g JOIN sources s ON s.id = g.source_id WHERE g.id = ?"


@contextmanager
def history() -> Iterator[History]:
    made = History()
    try:
        yield made
    finally:
        made.connection.close()
