"""The full-text index `words`: texts of calls, errors and prompts in; what holds the asked-for words out."""

import sqlite3
from collections.abc import Iterable

_KINDS = 3
CALL, ERROR, PROMPT = range(_KINDS)


def of_call(number: int, command: str, path: str, arguments: str, error: str) -> list[tuple[int, str]]:
    """What of a call can be searched for: the command or the path, else its arguments; and its error."""
    text = command or path or arguments[:500]
    return [(_KINDS * number + CALL, text), *of_error(number, error)]


def of_error(number: int, error: str) -> list[tuple[int, str]]:
    return [(_KINDS * number + ERROR, error)] if error else []


def of_prompt(number: int, text: str) -> tuple[int, str]:
    return _KINDS * number + PROMPT, text


def add(connection: sqlite3.Connection, texts: Iterable[tuple[int, str]]) -> None:
    connection.executemany("INSERT INTO words (rowid, text) VALUES (?, ?)", texts)


def replace_error(connection: sqlite3.Connection, number: int, old: str, new: str) -> None:
    """The index keeps no texts: what is to leave it must be told to it."""
    if old == new:
        return
    if old:
        connection.execute(
            "INSERT INTO words (words, rowid, text) VALUES ('delete', ?, ?)", (_KINDS * number + ERROR, old)
        )
    add(connection, of_error(number, new))


def rebuild(connection: sqlite3.Connection) -> None:
    """The whole index anew from the tables: words of rows that are gone are gone from it too."""
    connection.execute("INSERT INTO words (words) VALUES ('delete-all')")
    for number, command, path, arguments, error in connection.execute(
        "SELECT id, command, path, arguments, error FROM calls"
    ):
        add(connection, of_call(number, command, path, arguments, error))
    add(connection, (of_prompt(*row) for row in connection.execute("SELECT id, text FROM prompts")))
