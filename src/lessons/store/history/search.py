"""Full-text search of calls, errors and prompts: the index `words`, updated some time after the tables, and queries."""

import heapq
import re
import sqlite3
import unicodedata
from collections.abc import Iterable, Sequence

import msgspec

from lessons.store.forget_scope import lies_in

_KINDS = 3
CALL, ERROR, PROMPT = range(_KINDS)
# How many rows may be pending during a scan: indexing many at once costs half of indexing file by file.
MOST_WAITING = 20_000
_INDEXED_ARGUMENTS = 500  # characters
_LAST = "(SELECT coalesce(max(id), 0) FROM calls), (SELECT coalesce(max(id), 0) FROM prompts)"
# The command or the path of a call, else its arguments; and its error. One kind after the other, because the index
# flushes whenever a number is not greater than the one before.
_ADD = (
    f"INSERT INTO words (rowid, text) SELECT {_KINDS} * id + {CALL}, CASE WHEN command <> '' THEN command"
    f" WHEN path <> '' THEN path ELSE substr(arguments, 1, {_INDEXED_ARGUMENTS}) END"
    " FROM calls WHERE id > (SELECT calls FROM indexed) ORDER BY id",
    f"INSERT INTO words (rowid, text) SELECT {_KINDS} * id + {ERROR}, error"
    " FROM calls WHERE id > (SELECT calls FROM indexed) AND error <> '' ORDER BY id",
    f"INSERT INTO words (rowid, text) SELECT {_KINDS} * id + {PROMPT}, text"
    " FROM prompts WHERE id > (SELECT prompts FROM indexed) ORDER BY id",
)


def waiting(connection: sqlite3.Connection) -> int:
    """Returns how many rows are not in the index yet."""
    calls, prompts, indexed_calls, indexed_prompts = connection.execute(f"SELECT {_LAST}, * FROM indexed").fetchone()
    return int(calls - indexed_calls + prompts - indexed_prompts)


def catch_up(connection: sqlite3.Connection) -> None:
    """Adds every row that is not in the index yet, in the caller's transaction."""
    for statement in _ADD:
        connection.execute(statement)
    connection.execute(f"UPDATE indexed SET (calls, prompts) = ({_LAST})")


def replace_error(connection: sqlite3.Connection, number: int, old: str, new: str) -> None:
    """Replaces an error. The index stores no texts, so the old one is needed. Rows not indexed yet are read later."""
    if old == new or connection.execute("SELECT calls < ? FROM indexed", (number,)).fetchone()[0]:
        return
    row = _KINDS * number + ERROR
    if old:
        connection.execute("INSERT INTO words (words, rowid, text) VALUES ('delete', ?, ?)", (row, old))
    if new:
        connection.execute("INSERT INTO words (rowid, text) VALUES (?, ?)", (row, new))


def replace_arguments(connection: sqlite3.Connection, calls: Iterable[tuple[int, str, str]]) -> None:
    """Replaces arguments by which calls are found: number, old and new. Rows not indexed yet are read later."""
    indexed = connection.execute("SELECT calls FROM indexed").fetchone()[0]
    for number, old, new in calls:
        if number <= indexed:
            row = _KINDS * number + CALL
            delete = "INSERT INTO words (words, rowid, text) VALUES ('delete', ?, ?)"
            connection.execute(delete, (row, old[:_INDEXED_ARGUMENTS]))
            connection.execute("INSERT INTO words (rowid, text) VALUES (?, ?)", (row, new[:_INDEXED_ARGUMENTS]))


def remove_prompts(connection: sqlite3.Connection, prompts: list[tuple[int, str]]) -> None:
    """Deletes prompts by number and text; a number that is used again is indexed again."""
    for number, text in set(prompts):
        if connection.execute("SELECT prompts >= ? FROM indexed", (number,)).fetchone()[0]:
            row = (_KINDS * number + PROMPT, text)
            connection.execute("INSERT INTO words (words, rowid, text) VALUES ('delete', ?, ?)", row)
        connection.execute("DELETE FROM prompts WHERE id = ?", (number,))
    if prompts:
        last = "(SELECT coalesce(max(id), 0) FROM prompts)"
        connection.execute(f"UPDATE indexed SET prompts = min(prompts, {last})")


def rebuild(connection: sqlite3.Connection) -> None:
    """Rebuilds the index from the tables, without the words of deleted rows."""
    connection.execute("INSERT INTO words (words) VALUES ('delete-all')")
    connection.execute("UPDATE indexed SET calls = 0, prompts = 0")
    catch_up(connection)


KINDS = {"call": CALL, "error": ERROR, "prompt": PROMPT}
# Above this number, ranking is useless: only the time still matters.
_TOO_MANY_TO_RANK = 5_000
_WITH_WORDS = """
SELECT w.rowid AS number, coalesce(c.time, p.time) AS time, {score} AS score FROM words w
LEFT JOIN calls c ON w.rowid % 3 < 2 AND c.id = w.rowid / 3
LEFT JOIN prompts p ON w.rowid % 3 = 2 AND p.id = w.rowid / 3
WHERE words MATCH ? AND (c.id IS NOT NULL OR p.id IS NOT NULL){filters}
"""
_BEST = "ORDER BY score, time DESC, number DESC LIMIT ?"
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


class Hit(msgspec.Struct, frozen=True, rename="camel"):
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


class Found(msgspec.Struct, frozen=True):
    """The best hits, and how many there are in all."""

    results: list[Hit]
    total: int


def find(connection: sqlite3.Connection, query: Query) -> Found:
    """Returns the best match first with words, the newest first without."""
    phrases = [phrase(word) for word in query.words if has_token(word)]
    best, total = _matching(connection, query, " ".join(phrases)) if phrases else _newest(connection, query)
    hits = [_hit(connection, number) for number, *_ in best]
    return Found([hit for hit in hits if hit], total)


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


def _matching(connection: sqlite3.Connection, query: Query, match: str) -> tuple[list[Place], int]:
    count = connection.execute("SELECT count(*) FROM words WHERE words MATCH ?", (match,)).fetchone()[0]
    conditions, values = _filters(query, "coalesce(c.{0}, p.{0})")
    if query.kind:
        conditions.append("w.rowid % 3 = ?")
        values.append(KINDS[query.kind])
    score = "0" if count > _TOO_MANY_TO_RANK else "w.rank"
    sql = _WITH_WORDS.format(score=score, filters="".join(f" AND {condition}" for condition in conditions))
    if not conditions:
        return connection.execute(sql + _BEST, (match, query.limit)).fetchall(), count
    return _best(connection.execute(sql, (match, *values)), query.limit)


def _newest(connection: sqlite3.Connection, query: Query) -> tuple[list[Place], int]:
    parts: list[str] = []
    values: list[object] = []
    if query.kind != "prompt":
        kind, condition = (ERROR, "c.error <> ''") if query.kind == "error" else (CALL, "1")
        conditions, of_calls = _filters(query, "c.{0}")
        where = " AND ".join([condition, *conditions])
        parts.append(f"SELECT 3 * c.id + {kind}, c.time, 0.0 FROM calls c WHERE {where}")
        values += of_calls
    if query.kind in ("", "prompt") and not (query.tool or query.outcome):
        conditions, of_prompts = _filters(query, "p.{0}")
        where = " AND ".join(["1", *conditions])
        parts.append(f"SELECT 3 * p.id + {PROMPT}, p.time, 0.0 FROM prompts p WHERE {where}")
        values += of_prompts
    if not parts:
        return [], 0  # prompts have no tool or outcome
    return _best(connection.execute(" UNION ALL ".join(parts), values), query.limit)


def _best(rows: Iterable[Place], limit: int) -> tuple[list[Place], int]:
    """Returns the first ones and the total; counting here is cheaper than having SQLite count what it sorts."""
    found = list(rows)
    newest = heapq.nlargest(limit, found, key=lambda place: (-place[2], place[1], place[0]))
    return newest, len(found)


def _filters(query: Query, column: str) -> tuple[list[str], list[object]]:
    """Returns conditions and their values; `column` formats a column that calls and prompts share."""
    conditions: list[str] = []
    values: list[object] = []
    if query.folder:
        condition, place = lies_in(query.folder, column.format("project"))
        conditions.append(condition)
        values += place
    if query.project:
        conditions.append(f"{column} LIKE ? ESCAPE '!'".format("project"))
        values.append("%" + re.sub("([!%_])", r"!\1", query.project) + "%")
    if query.session:
        conditions.append(f"{column} BETWEEN ? AND ?".format("session_id"))
        values += [query.session, query.session + chr(0x10FFFF)]
    if query.since:
        conditions.append(f"{column} >= ?".format("time"))
        values.append(query.since)
    if query.tool:
        conditions.append("c.tool = ? COLLATE NOCASE")
        values.append(query.tool)
    if query.outcome:
        conditions.append("c.outcome = ?")
        values.append(query.outcome)
    return conditions, values


def _hit(connection: sqlite3.Connection, number: int) -> Hit | None:
    row_id, kind = divmod(number, len(KINDS))
    row = connection.execute(_A_PROMPT if kind == PROMPT else _A_CALL, (row_id,)).fetchone()
    if row is None:
        return None
    common = (row["time"], row["session_id"], row["agent_id"] or None, row["project"])
    if kind == PROMPT:
        return Hit("prompt", *common, None, None, None, None, row["text"], None, row["uuid"], row["file"])
    text = row["error"] if kind == ERROR else row["command"] or row["path"] or row["arguments"]
    about = (row["tool"], row["program"] or None, row["outcome"], row["exit_code"])
    where = (row["tool_use_id"], row["uuid"], row["file"])
    if kind == ERROR:
        return Hit("error", *common, *about, text, *where, command=row["command"] or row["path"] or None)
    return Hit("call", *common, *about, text, *where, error=row["error"] or None)
