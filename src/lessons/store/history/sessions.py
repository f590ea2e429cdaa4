"""The table `sessions`: project, times and title, merged from every stretch about a session."""

import sqlite3
from collections.abc import Iterable

import msgspec

from lessons.store.history.border import Part
from lessons.store.history.rows import SessionRow

# Every column is a minimum or a maximum, so that the order in which files are read does not matter.
_MERGE = """
INSERT INTO sessions (agent, session_id, project, first_time, last_time, title, title_rank)
VALUES (?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (agent, session_id) DO UPDATE SET
    project = CASE
        WHEN excluded.first_time = first_time THEN min(project, excluded.project)
        WHEN first_time = '' OR (excluded.first_time < first_time AND excluded.first_time <> '') THEN excluded.project
        ELSE project END,
    first_time = CASE
        WHEN excluded.first_time = '' THEN first_time
        WHEN first_time = '' THEN excluded.first_time
        ELSE min(first_time, excluded.first_time) END,
    last_time = max(last_time, excluded.last_time),
    title = CASE
        WHEN excluded.title_rank > title_rank THEN excluded.title
        WHEN excluded.title_rank = title_rank THEN max(title, excluded.title)
        ELSE title END,
    title_rank = max(title_rank, excluded.title_rank)
"""
# A session id that two agents share is one session: calls have only the id.
_SPANS = """
SELECT session_id, min(project), min(first_time), max(last_time) FROM sessions
WHERE first_time <> '' AND last_time <> '' GROUP BY session_id ORDER BY min(first_time), session_id
"""


class SessionSpan(msgspec.Struct, frozen=True, gc=False):
    """The start, end and project of a session."""

    session_id: str
    project: str
    start: str
    end: str


class Sessions(Part):
    """Every session of a history."""

    def spans(self) -> list[SessionSpan]:
        """Returns them in order of their start; leaves out those whose times are unknown."""
        return [SessionSpan(*row) for row in self._connection.execute(_SPANS)]

    def last_time(self, agent: str, began_after: str) -> str:
        """Returns the time of the newest record in a session of the agent that began later; empty if there is none."""
        sql = "SELECT max(last_time) FROM sessions WHERE agent = ? AND first_time > ?"
        return self._connection.execute(sql, (agent, began_after)).fetchone()[0] or ""

    def projects(self) -> list[str]:
        """Returns the folders of all projects."""
        rows = self._connection.execute("SELECT DISTINCT project FROM sessions WHERE project <> '' ORDER BY project")
        return [str(row[0]) for row in rows]


def write(connection: sqlite3.Connection, agent: str, rows: Iterable[SessionRow]) -> None:
    values = (
        (agent, row.session_id, row.project, row.first_time, row.last_time, row.title, row.title_rank) for row in rows
    )
    connection.executemany(_MERGE, values)
