"""What the hook did with lessons, folded from its log, and what came of it: `injections`, `opportunities`, `unjudged`.

And what agents and the hook did in each context, for the ledger.
"""

import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from itertools import groupby
from typing import Any

import msgspec

from lessons.agents.names import plain_id
from lessons.opportunity import RECALL, Opportunity
from lessons.store.forget_scope import ForgetScope
from lessons.store.history import sessions, tags
from lessons.store.history.database import HistoryPart, address, as_json, get_fact, plain_rows, put_fact, texts
from lessons.store.history.past_calls import PastCall
from lessons.store.injection_files import Event, Line
from lessons.store.json_text import decode

# It is unknown whether other agents record what they send.
_RECORDS = "claude-code"
_CONTEXTS = (
    "SELECT h.tool_use_id, h.event FROM json_each(?) AS wanted JOIN hook_contexts h ON h.tool_use_id = wanted.value"
)
# A call that finished drops nothing, as in the agent's `delivery.py`; older clients record nothing.
_DROPPED = (
    "SELECT c.tool_use_id FROM json_each(?) AS wanted JOIN calls c ON c.tool_use_id = wanted.value"
    " WHERE c.outcome IN ('refused', 'cancelled', 'interrupted') AND c.agent = ?"
)
_LINE_COLUMNS = "key, time, event, agent, session_id, agent_id, tool_use_id, cwd, lesson, slug, decision, line"
_TEXTS = ("time", "event", "agent", "cwd", "lesson", "slug", "decision")
_INSERT_LINE = f"INSERT OR IGNORE INTO injections ({_LINE_COLUMNS}) VALUES ({', '.join('?' * 12)})"
_SESSIONS_OF_CALLS = (
    "SELECT DISTINCT c.session_id FROM json_each(?) AS wanted JOIN calls c ON c.tool_use_id = wanted.value"
)
_KNOWN = "SELECT i.key FROM json_each(?) AS wanted JOIN injections i ON i.key = wanted.value"

_OF_DECISIONS = (
    "SELECT key, tool_use_id, session_id, time FROM injections WHERE decision IN (SELECT value FROM json_each(?))"
)
DENIALS = ("stop", "block")
ASKED = "asked"
_SELECT_FAILED = """
SELECT c.id, c.session_id FROM json_each(?) AS wanted JOIN calls c ON c.tool_use_id = wanted.value
WHERE c.outcome = 'failed' AND c.exit_code IS NULL
"""


class Injection(msgspec.Struct, frozen=True, gc=False):
    """What the hook did with one lesson, or recalled from memory, at one moment."""

    key: int
    time: str
    event: str
    agent: str
    agent_id: str
    tool_use_id: str
    cwd: str
    lesson: str
    decision: str
    tool: str
    model: str
    memory: str = ""  # the name of what was recalled; empty for a lesson
    rests_on: tuple[str, ...] = ()  # the failed calls that a recall rests on


class Injections(HistoryPart):
    def add(self, lines: Iterable[Line]) -> int:
        """Stores new lines, and queues their sessions for the ledger; returns how many were new."""
        by_key = {line.key: line for line in lines}
        stored = {row[0] for row in self._connection.execute(_KNOWN, (as_json(sorted(by_key)),))}
        rows = [_row(line) for key, line in by_key.items() if key not in stored]
        self._connection.executemany(_INSERT_LINE, rows)
        # The call may be stored under the session that this one was forked from.
        of_calls = texts(self._connection, _SESSIONS_OF_CALLS, (as_json(sorted({str(row[6]) for row in rows})),))
        sessions.add_to_ledger(self._connection, {str(row[4]) for row in rows} | of_calls)
        _take_back_failures(self._connection, [str(row[6]) for row in rows if row[10] in DENIALS and row[6]])
        # A tag may have been read before the question that it answers.
        tags.refresh(self._connection, {str(row[4]) for row in rows if row[10] == ASKED})
        return len(rows)

    def add_from(self, path: str) -> None:
        """Adds the rows of another history at this path; nothing if it is too old to have the table."""
        with closing(sqlite3.connect(address(path), uri=True)) as other:
            if other.execute("SELECT 1 FROM sqlite_master WHERE name = 'injections'").fetchone():
                rows = other.execute(f"SELECT {_LINE_COLUMNS} FROM injections ORDER BY id").fetchall()
                self._connection.executemany(_INSERT_LINE, rows)
                sessions.add_to_ledger(self._connection, {str(row[4]) for row in rows})

    def events(self, newest: int | None = None) -> list[tuple[int, Event]]:
        """Returns every line as written, or so many of the newest, with its key; the oldest first."""
        sql = "SELECT key, line FROM injections ORDER BY time DESC, id DESC LIMIT ?"
        rows = self._connection.execute(sql, (-1 if newest is None else newest,)).fetchall()
        decoded = ((key, decode(line)) for key, line in reversed(rows))  # msgspec rejects half a surrogate pair
        return [(key, event) for key, event in decoded if isinstance(event, dict)]

    def denials(self) -> dict[int, tuple[str, str, str]]:
        """Returns call, session and time of each stop and block, by key; the call may be unknown."""
        rows = self._connection.execute(_OF_DECISIONS, (as_json(list(DENIALS)),))
        return {key: (call, session, time) for key, call, session, time in rows}

    def delivery(self, tool_use_ids: Iterable[str]) -> tuple[set[tuple[str, str]], set[str]]:
        """Returns, of these calls, the sent contexts, each with its call and event, and the calls that lost theirs."""
        wanted = as_json(sorted(set(tool_use_ids) - {""}))
        sent = {(row[0], row[1]) for row in self._connection.execute(_CONTEXTS, (wanted,))}
        return sent, texts(self._connection, _DROPPED, (wanted, _RECORDS))

    def sessions_of(self, lessons: Iterable[str]) -> set[str]:
        sql = "SELECT DISTINCT session_id FROM injections WHERE lesson IN (SELECT value FROM json_each(?))"
        return texts(self._connection, sql, (as_json(sorted(lessons)),))


def injection(row: Sequence[Any]) -> Injection:
    """Builds it from its columns, the whole line last. Not decoded by SQLite, which rejects some lines of the hook."""
    *columns, line = row
    decoded = decode(line)
    event = decoded if isinstance(decoded, dict) else {}
    found = Injection(*columns, *(_text(event, key) for key in ("tool", "model")))
    if event.get("source") != "memory":
        return found
    calls = event.get("toolUseIds")
    rests_on = tuple(plain_id(call) for call in calls if isinstance(call, str)) if isinstance(calls, list) else ()
    # What the disk says about a path has no name: each is a thing of its own.
    name = _text(event, "memory") or f"{_text(event, 'why')} {found.tool_use_id or found.key}"
    return msgspec.structs.replace(found, memory=name, rests_on=rests_on)


def forget_lines(connection: sqlite3.Connection, scope: ForgetScope) -> list[str]:
    """Deletes the lines of a scope and returns the session of each; the folder of a line is that of its call."""
    rows = connection.execute("SELECT id, session_id, cwd, time FROM injections").fetchall()
    gone = [(number, session) for number, session, cwd, time in rows if scope.covers(session, cwd, time)]
    connection.executemany("DELETE FROM injections WHERE id = ?", [(number,) for number, _ in gone])
    return [session for _, session in gone]


def _take_back_failures(connection: sqlite3.Connection, calls: list[str]) -> None:
    """Makes refusals of calls that a hook denied, if a line that arrives late shows that the hook was ours.

    A call that ran although our hook denied it, such as a command with an exit code, stays as it is.
    """
    failed = connection.execute(_SELECT_FAILED, (as_json(calls),)).fetchall()
    sql = "UPDATE calls SET outcome = 'refused', error = '', error_fingerprint = '' WHERE id = ?"
    connection.executemany(sql, [(number,) for number, _ in failed])
    sessions.add(connection, {session for _, session in failed})


def _row(line: Line) -> tuple[object, ...]:
    time, event, agent, cwd, lesson, slug, decision = (_text(line.event, key) for key in _TEXTS)
    session, agent_id, call = (plain_id(_text(line.event, key)) for key in ("session", "agentId", "toolUseId"))
    return line.key, time, event, agent, session, agent_id, call, cwd, lesson, slug, decision, line.text


def _text(event: Mapping[str, object], key: str) -> str:
    value = event.get(key)
    return value.encode(errors="replace").decode() if isinstance(value, str) else ""


_STAMPS = "ledger"
_BOOLEANS: dict[object, bool | None] = {None: None, 0: False, 1: True}
_COLUMNS = (
    "lesson, slug, time, session_id, agent, model, project, tool_use_id, decision, outcome, failed, is_active, repeated"
)
_INSERT = f"INSERT OR REPLACE INTO opportunities ({_COLUMNS}, agent_id) VALUES ({', '.join('?' * 14)})"


class Ledger(HistoryPart):
    def stamps(self) -> dict[str, str]:
        """Returns the state of each lesson when the whole history was searched for it."""
        text = get_fact(self._connection, _STAMPS)
        return msgspec.json.decode(text, type=dict[str, str]) if text else {}

    def keep(self, stamps: Mapping[str, str]) -> None:
        """Records that the whole history was searched for these lessons, as they are now; deletes all others."""
        self.clear(lessons=self.stamps().keys() - stamps.keys())
        put_fact(self._connection, _STAMPS, as_json(dict(sorted(stamps.items()))))

    def unjudged(self) -> set[str]:
        return texts(self._connection, "SELECT session_id FROM unjudged")

    def judged(self, sessions: Iterable[str]) -> None:
        self._connection.executemany("DELETE FROM unjudged WHERE session_id = ?", [(name,) for name in sessions])

    def sessions(self) -> set[str]:
        """Returns every session in which a lesson may have had an opportunity."""
        return texts(self._connection, "SELECT session_id FROM calls UNION SELECT session_id FROM injections")

    def sessions_with_errors(self, fingerprints: Iterable[str]) -> set[str]:
        sql = (
            "SELECT DISTINCT c.session_id FROM json_each(?) AS wanted"
            " JOIN calls c ON c.error_fingerprint = wanted.value AND c.error_fingerprint <> ''"
        )
        return texts(self._connection, sql, (as_json(sorted(fingerprints)),))

    def newest_call(self) -> str:
        found = self._connection.execute("SELECT time FROM calls ORDER BY time DESC LIMIT 1").fetchone()
        return str(found[0] or "") if found else ""

    def clear(self, lessons: Iterable[str] = (), sessions: Iterable[str] = ()) -> None:
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
        return self._chosen("slug = ?", (RECALL, since))

    def _chosen(self, condition: str, values: tuple[str, ...]) -> list[Opportunity]:
        sql = f"SELECT {_COLUMNS} FROM opportunities WHERE {condition} AND time >= ? ORDER BY time, lesson, tool_use_id"
        with plain_rows(self._connection) as cursor:
            return [_opportunity(row) for row in cursor.execute(sql, values)]

    def contexts(self, sessions: Iterable[str]) -> "Iterator[LoggedContext]":
        """Yields contexts, session by session; also those that only the log of the hook mentions."""
        for session_id in sorted(sessions):
            rows = self._connection.execute(_CALLS, (session_id,)).fetchall()
            calls = [ContextCall(*row) for row in rows]
            of_agent = {name: list(some) for name, some in groupby(calls, key=lambda call: call.agent_id)}
            at = {call.tool_use_id: call.agent_id for call in calls}
            logged: dict[str, list[Injection]] = {}
            for row in self._connection.execute(_INJECTIONS, {"session": session_id}):
                line = injection(row)
                logged.setdefault(at.get(line.tool_use_id, line.agent_id), []).append(line)
            lines = [line.tool_use_id for some in logged.values() for line in some]
            sent, dropped = Injections(self._connection, self._path).delivery(lines)
            for name in sorted(of_agent.keys() | logged.keys()):
                yield LoggedContext(session_id, name, of_agent.get(name, []), logged.get(name, []), sent, dropped)


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


class LoggedContext(msgspec.Struct, frozen=True):
    """What one agent did in a session, in order, and what the hook did meanwhile."""

    session_id: str
    agent_id: str  # empty in the main thread
    calls: list[ContextCall]
    injections: list[Injection]
    sent: set[tuple[str, str]]  # calls with a context that reached the model, each with the event
    dropped: set[str]  # calls whose context was dropped
