"""The table `unmined`: sessions with something that mining has not seen yet."""

import sqlite3
from collections.abc import Iterable

import msgspec

from lessons.store.history import facts

# Another version looks at every session again.
VERSION = 1
_STAMP = "mining"


def add(connection: sqlite3.Connection, sessions: Iterable[str]) -> None:
    """In the transaction that changes them."""
    connection.executemany("INSERT OR IGNORE INTO unmined (session_id) VALUES (?)", [(name,) for name in sessions])


def add_known(connection: sqlite3.Connection, tool_use_ids: Iterable[str], prompts: Iterable[int]) -> None:
    """The sessions that these stand in by now: they may be about to end, or to move to another session."""
    for table, column, names in (("calls", "tool_use_id", list(tool_use_ids)), ("prompts", "key", list(prompts))):
        connection.execute(
            f"INSERT OR IGNORE INTO unmined (session_id) SELECT DISTINCT t.session_id FROM json_each(?) AS wanted"
            f" JOIN {table} t ON t.{column} = wanted.value",
            (msgspec.json.encode(names).decode(),),
        )


def is_empty(connection: sqlite3.Connection, window: int) -> bool:
    """Whether there is nothing to mine: no session, and all were mined in this way."""
    one = connection.execute("SELECT 1 FROM unmined LIMIT 1").fetchone()
    return one is None and facts.get(connection, _STAMP) == _stamp(window)


def sessions(connection: sqlite3.Connection, window: int) -> set[str]:
    if facts.get(connection, _STAMP) == _stamp(window):
        return {row[0] for row in connection.execute("SELECT session_id FROM unmined")}
    rows = connection.execute("SELECT session_id FROM calls UNION SELECT session_id FROM prompts")
    return {row[0] for row in rows}


def done(connection: sqlite3.Connection, window: int) -> None:
    connection.execute("DELETE FROM unmined")
    facts.put(connection, _STAMP, _stamp(window))


def _stamp(window: int) -> str:
    return f"{VERSION}/{window}"
