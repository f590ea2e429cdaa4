"""The tables `opportunities` and `unjudged`, and what agents and the hook did in each context, for the ledger."""

import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from itertools import groupby

import msgspec

from lessons.opportunity import RECALL, Opportunity
from lessons.store.history import database
from lessons.store.history.database import Part, as_json
from lessons.store.history.injections import Injection, injection, sent_and_dropped
from lessons.store.history.past_calls import PastCall

_STAMPS = "ledger"
_BOOLEANS: dict[object, bool | None] = {None: None, 0: False, 1: True}
_COLUMNS = (
    "lesson, slug, time, session_id, agent, model, project, tool_use_id, decision, outcome, failed, is_active, repeated"
)
_INSERT = f"INSERT OR REPLACE INTO opportunities ({_COLUMNS}, agent_id) VALUES ({', '.join('?' * 14)})"


class Ledger(Part):
    """Every judged opportunity of lessons and of memory."""

    def stamps(self) -> dict[str, str]:
        """Returns the state of each lesson when the whole history was searched for it."""
        text = database.get_fact(self._connection, _STAMPS)
        return msgspec.json.decode(text, type=dict[str, str]) if text else {}

    def keep(self, stamps: Mapping[str, str]) -> None:
        """Records that the whole history was searched for these lessons, as they are now; deletes all others."""
        self.clear(lessons=self.stamps().keys() - stamps.keys())
        database.put_fact(self._connection, _STAMPS, as_json(dict(sorted(stamps.items()))))

    def unjudged(self) -> set[str]:
        return {row[0] for row in self._connection.execute("SELECT session_id FROM unjudged")}

    def judged(self, sessions: Iterable[str]) -> None:
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
        return {row[0] for row in self._connection.execute(sql, (as_json(sorted(fingerprints)),))}

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
        """Returns those of lessons in order of time; all of them, or those of one lesson."""
        return self._chosen(
            "slug <> ? AND lesson = ?" if lesson else "slug <> ?",
            (RECALL, lesson, since) if lesson else (RECALL, since),
        )

    def recalls(self, since: str = "") -> list[Opportunity]:
        """Returns those of memory in order of time."""
        return self._chosen("slug = ?", (RECALL, since))

    def _chosen(self, condition: str, values: tuple[str, ...]) -> list[Opportunity]:
        sql = f"SELECT {_COLUMNS} FROM opportunities WHERE {condition} AND time >= ? ORDER BY time, lesson, tool_use_id"
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


_CALLS = """
SELECT c.tool_use_id, c.tool, c.command, c.arguments, c.error, c.cwd, c.agent, c.model, c.program, c.subcommand,
       c.session_id, c.project, c.time, c.path, c.outcome, c.error_fingerprint, c.suspicious,
       c.agent_id, c.message_id, c.ended, c.exit_code, c.hides_exit, coalesce(e.fix_tool_use_id, ''),
       coalesce(e.kind, ''), coalesce(e.weight, 1.0)
FROM calls c JOIN sources s ON s.id = c.source_id LEFT JOIN episodes e ON e.tool_use_id = c.tool_use_id
WHERE c.session_id = ? ORDER BY c.agent_id, c.time, s.path, s.generation, c.position, c.block
"""
_INJECTION = "i.key, i.time, i.event, i.agent, i.agent_id, i.tool_use_id, i.cwd, i.lesson, i.decision, i.line"
# A line belongs to the session of its call: a fork has another id, but its earlier calls are those of the original.
_INJECTIONS = f"""
SELECT {_INJECTION} FROM calls c JOIN injections i ON i.tool_use_id = c.tool_use_id
WHERE c.session_id = :session AND i.tool_use_id <> ''
UNION
SELECT {_INJECTION} FROM injections i LEFT JOIN calls c ON c.tool_use_id = i.tool_use_id AND i.tool_use_id <> ''
WHERE i.session_id = :session AND c.id IS NULL
ORDER BY 2, 1
"""


class ContextCall(PastCall, frozen=True, gc=False):
    """A call with everything that distinguishes it from others of its context."""

    agent_id: str
    message_id: str
    ended: str
    exit_code: int | None
    hides_exit: int
    fix_tool_use_id: str  # the call that fixed it, if mining found one
    kind: str = ""  # of mistake, for a failed call
    weight: float = 1.0  # how probably it was a mistake; 1 before it is mined


class Context(msgspec.Struct, frozen=True):
    """What one agent did in a session, in order, and what the hook did meanwhile."""

    session_id: str
    agent_id: str  # empty in the main thread
    calls: list[ContextCall]
    injections: list[Injection]
    sent: set[tuple[str, str]]  # calls with a context that reached the model, each with the event
    dropped: set[str]  # calls whose context was dropped


def contexts(connection: sqlite3.Connection, sessions: Iterable[str]) -> Iterator[Context]:
    """Yields contexts, session by session; also those that only the log of the hook mentions."""
    for session_id in sorted(sessions):
        rows = connection.execute(_CALLS, (session_id,)).fetchall()
        calls = [ContextCall(*row) for row in rows]
        of_agent = {name: list(some) for name, some in groupby(calls, key=lambda call: call.agent_id)}
        at = {call.tool_use_id: call.agent_id for call in calls}
        logged: dict[str, list[Injection]] = {}
        for row in connection.execute(_INJECTIONS, {"session": session_id}):
            line = injection(row)
            logged.setdefault(at.get(line.tool_use_id, line.agent_id), []).append(line)
        sent, dropped = sent_and_dropped(connection, [line.tool_use_id for some in logged.values() for line in some])
        for name in sorted(of_agent.keys() | logged.keys()):
            yield Context(session_id, name, of_agent.get(name, []), logged.get(name, []), sent, dropped)
