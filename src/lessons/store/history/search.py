"""The full-text index `words` of calls, errors and prompts; updated some time after the tables."""

import sqlite3
from collections.abc import Iterable

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


def clear(connection: sqlite3.Connection) -> None:
    """Empties the index, with the words of deleted rows; the next writer adds every row again."""
    connection.execute("INSERT INTO words (words) VALUES ('delete-all')")
    connection.execute("UPDATE indexed SET calls = 0, prompts = 0")


def rebuild(connection: sqlite3.Connection) -> None:
    """Rebuilds the index from the tables, without the words of deleted rows."""
    clear(connection)
    catch_up(connection)
