"""The table `injections`: what the hook did with lessons, folded from its log."""

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from typing import Any

import msgspec

from lessons.agents.names import plain_id
from lessons.store.forget_scope import ForgetScope
from lessons.store.history import sessions, tags
from lessons.store.history.database import Part, address, as_json
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
_COLUMNS = "key, time, event, agent, session_id, agent_id, tool_use_id, cwd, lesson, slug, decision, line"
_TEXTS = ("time", "event", "agent", "cwd", "lesson", "slug", "decision")
_INSERT = f"INSERT OR IGNORE INTO injections ({_COLUMNS}) VALUES ({', '.join('?' * 12)})"
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


class Injections(Part):
    """Everything that the hook ever did."""

    def add(self, lines: Iterable[Line]) -> int:
        """Stores new lines, and queues their sessions for the ledger; returns how many were new."""
        by_key = {line.key: line for line in lines}
        known = {row[0] for row in self._connection.execute(_KNOWN, (as_json(sorted(by_key)),))}
        rows = [_row(line) for key, line in by_key.items() if key not in known]
        self._connection.executemany(_INSERT, rows)
        # The call may be stored under the session that this one was forked from.
        calls = self._connection.execute(_SESSIONS_OF_CALLS, (as_json(sorted({str(row[6]) for row in rows})),))
        sessions.add_to_ledger(self._connection, {str(row[4]) for row in rows} | {row[0] for row in calls})
        _take_back_failures(self._connection, [str(row[6]) for row in rows if row[10] in DENIALS and row[6]])
        # A tag may have been read before the question that it answers.
        tags.refresh(self._connection, {str(row[4]) for row in rows if row[10] == ASKED})
        return len(rows)

    def add_from(self, path: str) -> None:
        """Adds the rows of another history at this path; nothing if it is too old to have the table."""
        with closing(sqlite3.connect(address(path), uri=True)) as other:
            if other.execute("SELECT 1 FROM sqlite_master WHERE name = 'injections'").fetchone():
                rows = other.execute(f"SELECT {_COLUMNS} FROM injections ORDER BY id").fetchall()
                self._connection.executemany(_INSERT, rows)
                sessions.add_to_ledger(self._connection, {str(row[4]) for row in rows})

    def events(self) -> list[tuple[int, Event]]:
        """Returns every line as written, with its key, oldest first."""
        rows = self._connection.execute("SELECT key, line FROM injections ORDER BY time, id")
        decoded = ((key, decode(line)) for key, line in rows)  # not by msgspec: it rejects half a surrogate pair
        return [(key, event) for key, event in decoded if isinstance(event, dict)]

    def denials(self) -> dict[int, tuple[str, str, str]]:
        """Returns call, session and time of each stop and block, by key; the call may be unknown."""
        rows = self._connection.execute(_OF_DECISIONS, (as_json(list(DENIALS)),))
        return {key: (call, session, time) for key, call, session, time in rows}

    def delivery(self, tool_use_ids: Iterable[str]) -> tuple[set[tuple[str, str]], set[str]]:
        """Returns, of these calls, the sent contexts, each with its call and event, and the calls that lost theirs."""
        return sent_and_dropped(self._connection, tool_use_ids)

    def sessions_of(self, lessons: Iterable[str]) -> set[str]:
        """Returns the sessions in which the hook did something with one of these lessons."""
        wanted = as_json(sorted(lessons))
        sql = "SELECT DISTINCT session_id FROM injections WHERE lesson IN (SELECT value FROM json_each(?))"
        return {row[0] for row in self._connection.execute(sql, (wanted,))}


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


def forget(connection: sqlite3.Connection, scope: ForgetScope) -> list[str]:
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
    """Returns the text as the history can store it."""
    value = event.get(key)
    return value.encode(errors="replace").decode() if isinstance(value, str) else ""


def sent_and_dropped(connection: sqlite3.Connection, names: Iterable[str]) -> tuple[set[tuple[str, str]], set[str]]:
    """Returns, of these calls, the sent contexts, each with its call and event, and the calls that lost theirs."""
    wanted = as_json(sorted(set(names) - {""}))
    sent = {(row[0], row[1]) for row in connection.execute(_CONTEXTS, (wanted,))}
    return sent, {row[0] for row in connection.execute(_DROPPED, (wanted, _RECORDS))}
