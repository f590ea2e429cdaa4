"""The tables `opportunities` and `unjudged`: the outcome of each opportunity, and what to judge again."""

import sqlite3
from collections.abc import Iterable, Mapping
from contextlib import closing

import msgspec

from lessons.opportunity import Opportunity
from lessons.store.history import facts
from lessons.store.history.border import Part

_STAMPS = "ledger"
_BOOLEANS: dict[object, bool | None] = {None: None, 0: False, 1: True}
_COLUMNS = (
    "lesson, slug, time, session_id, agent, model, project, tool_use_id, decision, outcome, failed, is_active, repeated"
)
_INSERT = f"INSERT OR REPLACE INTO opportunities ({_COLUMNS}, agent_id) VALUES ({', '.join('?' * 14)})"


class Ledger(Part):
    """Every judged opportunity of lessons."""

    def stamps(self) -> dict[str, str]:
        """Returns the state of each lesson when the whole history was searched for it."""
        text = facts.get(self._connection, _STAMPS)
        return msgspec.json.decode(text, type=dict[str, str]) if text else {}

    def keep(self, stamps: Mapping[str, str]) -> None:
        """Records that the whole history was searched for these lessons, as they are now; deletes all others."""
        self.clear(lessons=self.stamps().keys() - stamps.keys())
        facts.put(self._connection, _STAMPS, msgspec.json.encode(dict(sorted(stamps.items()))).decode())

    def unjudged(self) -> set[str]:
        """Returns sessions with something new."""
        return {row[0] for row in self._connection.execute("SELECT session_id FROM unjudged")}

    def judged(self, sessions: Iterable[str]) -> None:
        """Marks them as having nothing new."""
        self._connection.executemany("DELETE FROM unjudged WHERE session_id = ?", [(name,) for name in sessions])

    def sessions(self) -> set[str]:
        """Returns every session in which a lesson may have had an opportunity."""
        rows = self._connection.execute("SELECT session_id FROM calls UNION SELECT session_id FROM injections")
        return {row[0] for row in rows}

    def sessions_with_errors(self, fingerprints: Iterable[str]) -> set[str]:
        """Returns the sessions with a call that ended in one of these errors."""
        sql = (
            "SELECT DISTINCT c.session_id FROM json_each(?) AS wanted"
            " JOIN calls c ON c.error_fingerprint = wanted.value AND c.error_fingerprint <> ''"
        )
        return {row[0] for row in self._connection.execute(sql, (msgspec.json.encode(sorted(fingerprints)).decode(),))}

    def newest_call(self) -> str:
        """Returns the time of the newest call of the history; empty if there is none."""
        found = self._connection.execute("SELECT time FROM calls ORDER BY time DESC LIMIT 1").fetchone()
        return str(found[0] or "") if found else ""

    def clear(self, lessons: Iterable[str] = (), sessions: Iterable[str] = ()) -> None:
        """Deletes the results about these lessons, and about these sessions."""
        self._connection.executemany("DELETE FROM opportunities WHERE lesson = ?", [(name,) for name in lessons])
        self._connection.executemany("DELETE FROM opportunities WHERE session_id = ?", [(name,) for name in sessions])

    def add(self, found: Iterable[tuple[Opportunity, str]]) -> None:
        """Adds opportunities, each with the subagent that made the call."""
        self._connection.executemany(_INSERT, [(*msgspec.structs.astuple(each), agent_id) for each, agent_id in found])

    def opportunities(self, lesson: str = "", since: str = "") -> list[Opportunity]:
        """Returns them in order of time; all of them, or those of one lesson."""
        chosen = "lesson = ? AND" if lesson else ""
        values = (lesson, since) if lesson else (since,)
        sql = f"SELECT {_COLUMNS} FROM opportunities WHERE {chosen} time >= ? ORDER BY time, lesson, tool_use_id"
        with closing(self._connection.cursor()) as cursor:
            cursor.row_factory = None
            return [_opportunity(row) for row in cursor.execute(sql, values)]


def forget(connection: sqlite3.Connection, sessions: Iterable[str]) -> None:
    """Deletes the results about these sessions; the next scan judges what is left of them again."""
    names = [(name,) for name in sessions]
    connection.executemany("DELETE FROM opportunities WHERE session_id = ?", names)
    connection.executemany("INSERT OR IGNORE INTO unjudged (session_id) VALUES (?)", names)
    connection.execute(
        "DELETE FROM unjudged"
        " WHERE session_id NOT IN (SELECT session_id FROM calls UNION SELECT session_id FROM injections)"
    )


def _opportunity(row: tuple[object, ...]) -> Opportunity:
    # Fast, because a hundred thousand of them are read at once.
    return Opportunity(*row[:-3], _BOOLEANS[row[-3]], _BOOLEANS[row[-2]], _BOOLEANS[row[-1]])  # type: ignore[arg-type, call-arg]
