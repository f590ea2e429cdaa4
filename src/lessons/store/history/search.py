"""Full-text search of calls, errors and prompts: the index `words`, to which new rows are added later, and queries."""

import heapq
import re
import sqlite3
import unicodedata
from collections.abc import Sequence

import msgspec

from lessons.store.forget_scope import lies_in
from lessons.store.history.schema import words_of_call

_KINDS = 3
CALL, ERROR, PROMPT = range(_KINDS)
# How many rows may be pending during a scan: indexing many at once costs half of indexing file by file.
MOST_WAITING = 20_000
_LAST = "(SELECT coalesce(max(id), 0) FROM calls), (SELECT coalesce(max(id), 0) FROM prompts)"
# One kind after the other, because the index flushes whenever a number is not greater than the one before.
_ADD = (
    f"INSERT INTO words (rowid, text) SELECT {_KINDS} * id + {CALL}, {words_of_call()}"
    " FROM calls WHERE id > (SELECT calls FROM indexed) ORDER BY id",
    f"INSERT INTO words (rowid, text) SELECT {_KINDS} * id + {ERROR}, error"
    " FROM calls WHERE id > (SELECT calls FROM indexed) AND error <> '' ORDER BY id",
    f"INSERT INTO words (rowid, text) SELECT {_KINDS} * id + {PROMPT}, text"
    " FROM prompts WHERE id > (SELECT prompts FROM indexed) ORDER BY id",
)


def waiting(connection: sqlite3.Connection) -> int:
    calls, prompts, indexed_calls, indexed_prompts = connection.execute(f"SELECT {_LAST}, * FROM indexed").fetchone()
    return int(calls - indexed_calls + prompts - indexed_prompts)


def catch_up(connection: sqlite3.Connection) -> None:
    """Adds every row that is not in the index yet, in the caller's transaction."""
    for statement in _ADD:
        connection.execute(statement)
    connection.execute(f"UPDATE indexed SET (calls, prompts) = ({_LAST})")


def rebuild(connection: sqlite3.Connection) -> None:
    """Rebuilds the index from the tables, without the words of deleted rows."""
    connection.execute("INSERT INTO words (words) VALUES ('delete-all')")
    connection.execute("UPDATE indexed SET calls = 0, prompts = 0")
    catch_up(connection)


KINDS = {"call": CALL, "error": ERROR, "prompt": PROMPT}
# Above this number, ranking is useless: only the time still matters.
_TOO_MANY_TO_RANK = 5_000
_FOUND = "WITH found AS MATERIALIZED (SELECT rowid AS number, {score} AS score FROM words WHERE words MATCH ?) "
_A_CALL = (
    "SELECT c.time, c.session_id, c.agent_id, c.project, c.tool, c.program, c.outcome, c.exit_code, c.command, c.path,"
    " c.arguments, c.error, c.tool_use_id, c.uuid, s.path AS file"
    " FROM calls c JOIN sources s ON s.id = c.source_id WHERE c.id = ?"
)
_A_PROMPT = (
    "SELECT p.time, p.session_id, p.agent_id, p.project, p.text, p.uuid, s.path AS file"
    " FROM prompts p JOIN sources s ON s.id = p.source_id WHERE p.id = ?"
)


Place = tuple[int, str, float]  # number in the index, time, score (lower is better)


class Query(msgspec.Struct, frozen=True):
    """A search; empty fields match everything."""

    words: Sequence[str] = ()  # each a phrase; a * at its end matches any ending
    folder: str = ""  # a project: this folder and all below it
    project: str = ""  # a project: some part of its path
    session: str = ""  # the beginning of its id
    tool: str = ""
    outcome: str = ""
    kind: str = ""
    since: str = ""  # in the time format of the tables
    limit: int = 20


class SearchHit(msgspec.Struct, frozen=True, rename="camel"):
    """One text that was found, and its source; a prompt has no tool."""

    kind: str
    time: str
    session: str
    agent_id: str | None
    project: str
    tool: str | None
    program: str | None
    outcome: str | None
    exit_code: int | None
    text: str
    tool_use_id: str | None
    uuid: str
    file: str
    error: str | None = None  # of a call that failed
    command: str | None = None  # of the call whose error it is


class SearchResult(msgspec.Struct, frozen=True):
    results: list[SearchHit]
    total: int


def find(connection: sqlite3.Connection, query: Query) -> SearchResult:
    match = " ".join(phrase(word) for word in query.words if has_token(word))
    places = _places(connection, query, match)
    best = heapq.nlargest(query.limit, places, key=lambda place: (-place[2], place[1], place[0]))
    hits = [_hit(connection, number) for number, *_ in best]
    return SearchResult([hit for hit in hits if hit], len(places))


def has_token(word: str) -> bool:
    """Whether the index can contain it: it has letters and digits, but no punctuation."""
    return any(_is_token(character) for character in word)


def phrase(word: str) -> str:
    """Returns the word quoted for the index, so that nothing in it is an operator."""
    text = word.encode("utf-8", "replace").decode().replace("\0", " ")
    stem = text.rstrip("*")
    any_ending = stem != text and bool(stem) and _is_token(stem[-1])
    quoted = stem.replace('"', '""')
    return f'"{quoted}"*' if any_ending else f'"{quoted}"'


def _is_token(character: str) -> bool:
    category = unicodedata.category(character)
    return category[0] in "LN" or category == "Co"


def _places(connection: sqlite3.Connection, query: Query, match: str) -> list[Place]:
    """Returns everything that matches; counting here is cheaper than having SQLite count what it sorts."""
    sql, values = "", list[object]()
    if match:
        count = connection.execute("SELECT count(*) FROM words WHERE words MATCH ?", (match,)).fetchone()[0]
        sql, values = _FOUND.format(score="0.0" if count > _TOO_MANY_TO_RANK else "rank"), [match]
    parts: list[str] = []
    if query.kind != "prompt":
        # Without words a call is listed once, not a second time for its error.
        wanted = (CALL, ERROR) if match and not query.kind else (KINDS[query.kind or "call"],)
        parts.append(_part("calls", wanted, query, match, values))
    if query.kind in ("", "prompt") and not (query.tool or query.outcome):  # prompts have neither
        parts.append(_part("prompts", (PROMPT,), query, match, values))
    return connection.execute(sql + " UNION ALL ".join(parts), values).fetchall() if parts else []


def _part(table: str, kinds: tuple[int, ...], query: Query, match: str, values: list[object]) -> str:
    """Returns the query for one table, and adds its values."""
    conditions, more = _filters(query)
    values += more
    if match:
        place = f"f.number, t.time, f.score FROM found f CROSS JOIN {table} t ON t.id = f.number / {_KINDS}"
        conditions.append(f"f.number % {_KINDS} IN ({', '.join(map(str, kinds))})")
    else:
        place = f"{_KINDS} * t.id + {kinds[0]}, t.time, 0.0 FROM {table} t"
        conditions += ["t.error <> ''"] if kinds == (ERROR,) else []
    return f"SELECT {place} WHERE {' AND '.join(conditions) or '1'}"


def _filters(query: Query) -> tuple[list[str], list[object]]:
    conditions: list[str] = []
    values: list[object] = []
    if query.folder:
        condition, place = lies_in(query.folder, "t.project")
        conditions.append(condition)
        values += place
    if query.project:
        conditions.append("t.project LIKE ? ESCAPE '!'")
        values.append("%" + re.sub("([!%_])", r"!\1", query.project) + "%")
    if query.session:
        conditions.append("t.session_id BETWEEN ? AND ?")
        values += [query.session, query.session + chr(0x10FFFF)]
    if query.since:
        conditions.append("t.time >= ?")
        values.append(query.since)
    if query.tool:
        conditions.append("t.tool = ? COLLATE NOCASE")
        values.append(query.tool)
    if query.outcome:
        conditions.append("t.outcome = ?")
        values.append(query.outcome)
    return conditions, values


def _hit(connection: sqlite3.Connection, number: int) -> SearchHit | None:
    row_id, kind = divmod(number, len(KINDS))
    row = connection.execute(_A_PROMPT if kind == PROMPT else _A_CALL, (row_id,)).fetchone()
    if row is None:
        return None
    common = (row["time"], row["session_id"], row["agent_id"] or None, row["project"])
    if kind == PROMPT:
        return SearchHit("prompt", *common, None, None, None, None, row["text"], None, row["uuid"], row["file"])
    text = row["error"] if kind == ERROR else row["command"] or row["path"] or row["arguments"]
    about = (row["tool"], row["program"] or None, row["outcome"], row["exit_code"])
    where = (row["tool_use_id"], row["uuid"], row["file"])
    if kind == ERROR:
        return SearchHit("error", *common, *about, text, *where, command=row["command"] or row["path"] or None)
    return SearchHit("call", *common, *about, text, *where, error=row["error"] or None)
