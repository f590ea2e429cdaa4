"""The table `unmined`: sessions that changed since they were mined, and from which moment on.

Changes are queued for the ledger too.
"""

import sqlite3
from collections.abc import Iterable

import msgspec

from lessons.store.history import facts
from lessons.store.history.border import Part

# Another version mines every session again.
VERSION = 5
_STAMP = "mining"
_SINCE = (
    "SELECT t.session_id, min(t.time) FROM json_each(?) AS wanted JOIN {table} t ON t.{column} = wanted.value"
    " GROUP BY t.session_id"
)
_ADD = (
    "INSERT INTO unmined (session_id, since, active) VALUES (?, ?, ?) ON CONFLICT (session_id) DO UPDATE"
    " SET since = min(since, excluded.since), active = max(active, excluded.active)"
)
_TO_LEDGER = "INSERT OR IGNORE INTO unjudged (session_id)"


class SessionsToMine(Part):
    """The sessions that must be mined again."""

    def is_empty(self, window: int) -> bool:
        """Whether there is nothing to mine: no session is pending, and all were mined with this version and window."""
        one = self._connection.execute("SELECT 1 FROM unmined LIMIT 1").fetchone()
        return one is None and self.is_current(window)

    def is_current(self, window: int) -> bool:
        """Whether every session that is not pending was mined with this version and window."""
        return facts.get(self._connection, _STAMP) == _stamp(window)

    def begin(self, window: int) -> None:
        """Marks an empty history as current, so that each session is mined when it arrives, not all of them."""
        one = "SELECT EXISTS (SELECT 1 FROM calls) OR EXISTS (SELECT 1 FROM prompts)"
        if not facts.get(self._connection, _STAMP) and not self._connection.execute(one).fetchone()[0]:
            facts.put(self._connection, _STAMP, _stamp(window))

    def were_of_another_version(self) -> bool:
        """Whether another version of lessons was the last to mine."""
        stamp = facts.get(self._connection, _STAMP)
        return stamp != "" and stamp.partition("/")[0] != str(VERSION)

    def since(self, window: int) -> dict[str, str]:
        """Returns those that changed, with the moment since which; all, completely, after another version or window."""
        if self.is_current(window):
            return dict(self._connection.execute("SELECT session_id, since FROM unmined").fetchall())
        rows = self._connection.execute("SELECT session_id FROM calls UNION SELECT session_id FROM prompts")
        return dict.fromkeys((row[0] for row in rows), "")

    def last_writes(self) -> dict[str, float]:
        """Returns when a transcript of each changed session was last written, in seconds since 1970."""
        return dict(self._connection.execute("SELECT session_id, active FROM unmined").fetchall())

    def done(self, sessions: Iterable[str] | None, window: int) -> None:
        """Marks these, or all, as mined; what is not pending now was mined with this version and window."""
        if sessions is None:
            self._connection.execute("DELETE FROM unmined")
        else:
            self._connection.executemany("DELETE FROM unmined WHERE session_id = ?", [(name,) for name in sessions])
        facts.put(self._connection, _STAMP, _stamp(window))


def add(connection: sqlite3.Connection, sessions: Iterable[str]) -> None:
    """Adds whole sessions, in the transaction that changes them."""
    names = list(sessions)
    connection.executemany(
        "INSERT INTO unmined (session_id) VALUES (?) ON CONFLICT (session_id) DO UPDATE SET since = ''",
        [(name,) for name in names],
    )
    add_to_ledger(connection, names)


def add_to_ledger(connection: sqlite3.Connection, sessions: Iterable[str]) -> None:
    """Adds sessions in which only the log of the hook changed, or which need no mining."""
    connection.executemany(f"{_TO_LEDGER} VALUES (?)", [(name,) for name in sessions])


def add_named(
    connection: sqlite3.Connection, tool_use_ids: Iterable[str], prompts: Iterable[int], active: float
) -> None:
    """Adds the sessions that these are stored under now, from the first of them on."""
    _add(connection, "calls", "tool_use_id", list(tool_use_ids), active)
    _add(connection, "prompts", "key", list(prompts), active)


def add_changed(connection: sqlite3.Connection, calls: Iterable[int], prompts: Iterable[int], active: float) -> None:
    """Adds the same for calls by their numbers."""
    _add(connection, "calls", "id", list(calls), active)
    _add(connection, "prompts", "key", list(prompts), active)


def _add(connection: sqlite3.Connection, table: str, column: str, names: list[str] | list[int], active: float) -> None:
    if names:
        wanted = msgspec.json.encode(names).decode()
        # One lookup for both tables: there are many rows, but nearly always one session.
        found = connection.execute(_SINCE.format(table=table, column=column), (wanted,)).fetchall()
        connection.executemany(_ADD, [(name, since, active) for name, since in found])
        add_to_ledger(connection, [name for name, _ in found])


def _stamp(window: int) -> str:
    return f"{VERSION}/{window}"
