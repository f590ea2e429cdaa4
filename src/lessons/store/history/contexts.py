"""Reads everything about a context: its calls in order, what the hook did at them, and their fixes."""

import sqlite3
from collections.abc import Iterable, Iterator
from itertools import groupby

import msgspec

from lessons.store.history.delivered import sent_and_dropped
from lessons.store.history.injections import Injection, injection
from lessons.store.history.past_calls import PastCall

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
