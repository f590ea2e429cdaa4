"""Redacts the texts of a history again: an older version left secrets on continued lines of commands."""

import re
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import msgspec

from lessons.failure.error_text import fingerprint
from lessons.redact.spans import continues
from lessons.redact.texts import redacted
from lessons.shell.describe import program_of
from lessons.store.history import forget, search
from lessons.store.history.database import as_json

_ROWS_AT_ONCE = 500
# An older version took the backslash in `--password \` for the password; the password is on the next line.
_TAKEN_BACKSLASH = re.compile(
    r"(?<=\s)(--[A-Za-z0-9][\w\-]{0,40}[ \t]{1,8})\[redacted:(?:password|secret)\](\r?\n[ \t]*)(?=[^\s\-])"
)
_ONE_WORD = re.compile(r"(?!(?:done|fi|esac|else)\b|[)}])(?:\"[^\"\n]*\"|'[^'\n]*'|\S+)[ \t]*\\?\r?(?:\n|$)")
# One of these, or a backslash, is in every document of which a text changes.
_SIGNS_IN_DOCUMENT = ("`\\", "^\\", "|\\n", "]\\n", "]\\r")
# Sessions whose rows of these tables change are mined again.
_MINED = ("calls", "prompts")


class _Table(NamedTuple):
    name: str
    key: Sequence[str]
    texts: Sequence[str] = ()
    documents: Sequence[str] = ()  # columns with JSON


_TABLES = (
    _Table("calls", ["id"], ["command", "error"], ["arguments"]),
    _Table("prompts", ["id"], ["text"]),
    _Table("hook_contexts", ["id"], ["text"]),
    _Table("diagnoses", ["id"], ["text"]),
    _Table("stop_hooks", ["id"], documents=["errors", "commands"]),
    _Table("tags", ["id"], documents=["fields"]),
    _Table("marks", ["kind", "session_id", "name"], documents=["row"]),
    _Table("sessions", ["agent", "session_id"], ["title"]),
    _Table("candidates", ["fingerprint"], documents=["document"]),
    _Table("answers", ["id"], documents=["document", "reasons"]),
)


def redact_again(connection: sqlite3.Connection) -> bool:
    """Redacts every stored text in the caller's transaction; returns whether any changed.

    What was mined from changed texts is deleted: the next mining makes it again from the redacted ones.
    """
    changed: set[str] = set()
    sessions: set[str] = set()
    for table in _TABLES:
        for session_id in _redact_rows(connection, table):
            changed.add(table.name)
            if table.name in _MINED:
                sessions.add(session_id)
    marks = _quoting(connection) | _resting_on(connection, sessions)
    if sessions or marks:
        forget.drop_mined(connection, marks, sessions)
    if changed or marks:
        connection.execute("DELETE FROM proposals")  # they may quote the texts, and are rebuilt
    if not changed.isdisjoint(_MINED):
        search.clear(connection)
    return bool(changed or marks)


def _redact_rows(connection: sqlite3.Connection, table: _Table) -> Iterator[str]:
    """Yields the session of each changed row, for the tables that are mined."""
    columns = [*table.texts, *table.documents]
    session = "session_id" if table.name in _MINED else "''"
    for row in _rows(connection, table, [*columns, session]):
        key, texts, session_id = row[: len(table.key)], row[len(table.key) : -1], row[-1]
        new = {
            name: (_redacted_document if name in table.documents else _redacted)(text)
            for name, text in zip(columns, texts, strict=True)
        }
        if tuple(new.values()) == texts:
            continue
        if table.name == "calls":
            new |= _derived(new["command"], new["error"])
        connection.execute(
            f"UPDATE {table.name} SET {', '.join(f'{name} = ?' for name in new)}"
            f" WHERE ({', '.join(table.key)}) = ({', '.join('?' * len(key))})",
            (*new.values(), *key),
        )
        yield session_id


def _rows(connection: sqlite3.Connection, table: _Table, columns: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Yields the rows with their keys first, some at a time: those of a query must not change while it runs."""
    key = ", ".join(table.key)
    select = f"SELECT {key}, {', '.join(columns)} FROM {table.name}"
    order = f"ORDER BY {key} LIMIT {_ROWS_AT_ONCE}"
    rows = connection.execute(f"{select} {order}").fetchall()
    while rows:
        yield from rows
        last = rows[-1][: len(table.key)]
        after = f"WHERE ({key}) > ({', '.join('?' * len(last))})"
        rows = connection.execute(f"{select} {after} {order}", last).fetchall()


def _derived(command: str, error: str) -> dict[str, str]:
    """Returns the columns that are computed from these."""
    program, subcommand = program_of(command) if command else ("", "")
    mark = fingerprint(error) if error else ""
    return {"program": program, "subcommand": subcommand, "error_fingerprint": mark}


def _quoting(connection: sqlite3.Connection) -> set[str]:
    """Returns the mined candidates that have a secret: they quote calls in one line, also those of other sessions."""
    table = _Table("candidates", ["fingerprint"])
    rows = _rows(connection, table, ["document", "tier > 1"])
    return {name for name, document, is_mined in rows if is_mined and _mapped(redacted, document) != document}


def _resting_on(connection: sqlite3.Connection, sessions: set[str]) -> set[str]:
    wanted = as_json(sorted(sessions))
    sql = "SELECT DISTINCT fingerprint FROM evidence WHERE session_id IN (SELECT value FROM json_each(?))"
    return {row[0] for row in connection.execute(sql, (wanted,))}


def _redacted(text: str) -> str:
    if "]\n" in text or "]\r" in text:
        text = _TAKEN_BACKSLASH.sub(_with_backslash, text)
    return redacted(text) if continues(text) or "|\n" in text else text


def _with_backslash(match: re.Match[str]) -> str:
    """Puts the backslash back if the next line is one word, or if the line itself continues another one."""
    line = match.string.rfind("\n", 0, match.start()) + 1
    is_continued = match.string[max(0, line - 3) : line].rstrip().endswith("\\")
    return f"{match[1]}\\{match[2]}" if is_continued or _ONE_WORD.match(match.string, match.end()) else match[0]


def _redacted_document(document: str) -> str:
    may_change = "\\\\" in document or any(sign in document for sign in _SIGNS_IN_DOCUMENT)
    return _mapped(_redacted, document) if may_change else document


def _mapped(act: Callable[[str], str], document: str) -> str:
    """Returns the JSON with every text in it mapped; unchanged if that changes none."""
    try:
        value = msgspec.json.decode(document)
    except msgspec.MsgspecError:
        return act(document)
    new = _mapped_value(act, value)
    return document if new == value else as_json(new)


def _mapped_value(act: Callable[[str], str], value: object) -> object:
    if isinstance(value, str):
        return act(value)
    if isinstance(value, list):
        return [_mapped_value(act, item) for item in value]
    if isinstance(value, dict):
        return {act(str(key)): _mapped_value(act, item) for key, item in value.items()}
    return value
