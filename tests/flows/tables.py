"""A data home in, every table of its history out in a form independent of the reading order."""

import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from itertools import groupby
from operator import itemgetter
from pathlib import Path

Rows = list[tuple[object, ...]]
Tables = dict[str, Rows]

# Numbers that only count rows, what the file system gave, and where a row leads to (named instead); of `facts` all
# comes from the clock.
_LEFT_OUT = {
    "sources": {"id", "inode", "modified", "path", "generation"},
    "segments": {"id"},
    "calls": {"id"},
    "messages": {"id"},
    "prompts": {"id"},
    "hook_contexts": {"id"},
    "stop_hooks": {"id"},
    "tags": {"id"},
    "diagnoses": {"id"},
    "injections": {"id"},
}
# `unjudged` says what the ledger has to look at: nothing where the verb ran it, all where a test only read transcripts.
# `indexed` holds numbers of rows; what can be searched for is compared. The rest is a cache.
_PASSED_OVER = ("sqlite_", "words", "facts", "unjudged", "indexed", "proposals")
_SOURCE = "(SELECT s.path || ' #' || s.generation FROM sources s WHERE s.id = {})"
_NAMES = {
    "call_id": "(SELECT c.tool_use_id FROM calls c WHERE c.id = t.call_id)",
    "source_id": _SOURCE.format("t.source_id"),
    "segment_id": "(SELECT g.key || ' of ' || "
    + _SOURCE.format("g.source_id")
    + " FROM segments g WHERE g.id = t.segment_id)",
}
_FIRST = {"sources": "t.path || ' #' || t.generation"}
_DOCUMENTS = """
SELECT v.doc, v.term, CASE v.doc % 3 WHEN 2 THEN (SELECT p.key || ' prompt' FROM prompts p WHERE p.id = v.doc / 3)
    ELSE (SELECT c.tool_use_id || iif(v.doc % 3, ' error', ' call') FROM calls c WHERE c.id = v.doc / 3) END
FROM temp.every_word v ORDER BY v.doc, v.offset
"""


def tables(home: Path | str, root: Path | str = "") -> Tables:
    """Sorted rows of every table, the searched words among them; paths below `root` without it."""
    with closing(sqlite3.connect(f"file:{home}/history.db?mode=ro", uri=True)) as connection:
        names = [row[0] for row in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
        found = {name: _rows(connection, name) for name in names if not name.startswith(_PASSED_OVER)}
        found["words"] = _words(connection)
    place = f"{root}/"
    return {name: sorted((_without(row, place) for row in rows), key=repr) for name, rows in sorted(found.items())}


def _rows(connection: sqlite3.Connection, table: str) -> Rows:
    columns = [row[1] for row in connection.execute(f"PRAGMA table_xinfo({table})")]
    kept = [_NAMES.get(column, f't."{column}"') for column in columns if column not in _LEFT_OUT.get(table, ())]
    wanted = [_FIRST[table], *kept] if table in _FIRST else kept
    return connection.execute(f"SELECT {', '.join(wanted)} FROM {table} t").fetchall()


def _words(connection: sqlite3.Connection) -> Rows:
    """What can be searched for, by the call or prompt that it leads to."""
    connection.execute("CREATE VIRTUAL TABLE temp.every_word USING fts5vocab (main, words, instance)")
    found = groupby(connection.execute(_DOCUMENTS), key=itemgetter(0, 2))
    return [(str(name), " ".join(term for _, term, _ in group)) for (_, name), group in found]


def _without(row: tuple[object, ...], place: str) -> tuple[object, ...]:
    return tuple(value.replace(place, "") if isinstance(value, str) else value for value in row)


def differences(left: Mapping[str, Rows], right: Mapping[str, Rows], most: int = 3) -> list[str]:
    """Nothing for the same tables; else for each table that differs the first rows that only one side has."""
    found = []
    for name in sorted(left.keys() | right.keys()):
        ours, theirs = left.get(name, []), right.get(name, [])
        if ours != theirs:
            found.append(f"{name}: {len(ours)} and {len(theirs)} rows")
            found += [f"  only left: {_short(row)}" for row in _only(ours, theirs)[:most]]
            found += [f"  only right: {_short(row)}" for row in _only(theirs, ours)[:most]]
    return found


def assert_same(left: Mapping[str, Rows], right: Mapping[str, Rows]) -> None:
    found = differences(left, right)
    assert not found, "\n".join(["the tables differ", *found])


def _only(rows: Sequence[tuple[object, ...]], others: Sequence[tuple[object, ...]]) -> Rows:
    met: dict[tuple[object, ...], int] = {}
    for row in others:
        met[row] = met.get(row, 0) + 1
    only = []
    for row in rows:
        met[row] = met.get(row, 0) - 1
        if met[row] < 0:
            only.append(row)
    return only


def _short(row: tuple[object, ...]) -> str:
    return "(" + ", ".join(text if len(text) <= 90 else f"{text[:87]}…" for text in map(repr, row)) + ")"
