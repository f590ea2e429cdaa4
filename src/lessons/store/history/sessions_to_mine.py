"""The table `unmined`: sessions that changed since they were mined."""

import sqlite3
from collections.abc import Iterable

import msgspec

from lessons.store.history import facts
from lessons.store.history.border import Part

# Another version looks at every session again.
VERSION = 2
_STAMP = "mining"


class SessionsToMine(Part):
    """The sessions that mining has to look at again."""

    def is_empty(self, window: int) -> bool:
        """Whether there is nothing to mine: no session is pending, and all were mined with this version and window."""
        one = self._connection.execute("SELECT 1 FROM unmined LIMIT 1").fetchone()
        return one is None and facts.get(self._connection, _STAMP) == _stamp(window)

    def were_of_another_version(self) -> bool:
        """Whether another version of lessons was the last to mine."""
        stamp = facts.get(self._connection, _STAMP)
        return stamp != "" and stamp.partition("/")[0] != str(VERSION)

    def names(self, window: int) -> set[str]:
        """Those that changed; all of them where the last mining was of another version or window."""
        if facts.get(self._connection, _STAMP) == _stamp(window):
            return {row[0] for row in self._connection.execute("SELECT session_id FROM unmined")}
        rows = self._connection.execute("SELECT session_id FROM calls UNION SELECT session_id FROM prompts")
        return {row[0] for row in rows}

    def done(self, window: int) -> None:
        self._connection.execute("DELETE FROM unmined")
        facts.put(self._connection, _STAMP, _stamp(window))


def add(connection: sqlite3.Connection, sessions: Iterable[str]) -> None:
    """Adds sessions, in the transaction that changes them."""
    connection.executemany("INSERT OR IGNORE INTO unmined (session_id) VALUES (?)", [(name,) for name in sessions])


def add_known(connection: sqlite3.Connection, tool_use_ids: Iterable[str], prompts: Iterable[int]) -> None:
    """Adds the sessions that these are stored under now: they may be about to end, or to move to another session."""
    for table, column, names in (("calls", "tool_use_id", list(tool_use_ids)), ("prompts", "key", list(prompts))):
        connection.execute(
            f"INSERT OR IGNORE INTO unmined (session_id) SELECT DISTINCT t.session_id FROM json_each(?) AS wanted"
            f" JOIN {table} t ON t.{column} = wanted.value",
            (msgspec.json.encode(names).decode(),),
        )


def _stamp(window: int) -> str:
    return f"{VERSION}/{window}"
