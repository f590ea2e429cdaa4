"""Reads the calls of each thread of a session in order, with the prompts between."""

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby, islice
from typing import NamedTuple

import msgspec

from lessons.episode import Step

_SESSIONS_AT_ONCE = 200
# A command contains all of a shell's arguments.
_STEP = """
       c.tool_use_id, c.tool, c.program, c.subcommand, c.command, c.path, iif(c.command <> '', '', c.arguments),
       c.outcome, c.error, c.suspicious, c.cwd, c.time, c.ended, c.exit_code, c.hides_exit
"""
_ORDER = "c.session_id, c.agent_id, c.sidechain, c.time, s.path, s.generation, c.position, c.block"
_CALLS = f"""
SELECT c.session_id, c.agent_id, c.sidechain, {_STEP}
FROM json_each(?) AS wanted JOIN calls c ON c.session_id = wanted.value JOIN sources s ON s.id = c.source_id
ORDER BY {_ORDER}
"""
_OF_THREAD = f"""
SELECT {_STEP} FROM calls c CROSS JOIN sources s ON s.id = c.source_id
WHERE c.session_id = ? AND c.agent_id = ? AND c.sidechain = ?
"""
_SINCE = f"{_OF_THREAD} AND c.time >= ? ORDER BY {_ORDER}"
_BEFORE = f"""{_OF_THREAD} AND c.time < ?
ORDER BY c.time DESC, s.path DESC, s.generation DESC, c.position DESC, c.block DESC LIMIT ?
"""
# In two steps: each is one index lookup.
_NEXT_SIDECHAIN = """
SELECT agent_id, sidechain FROM calls WHERE session_id = ? AND agent_id = ? AND sidechain > ?
ORDER BY sidechain LIMIT 1
"""
_NEXT_AGENT = """
SELECT agent_id, sidechain FROM calls WHERE session_id = ? AND agent_id > ? ORDER BY agent_id, sidechain LIMIT 1
"""
_PROMPT = "SELECT p.session_id, p.agent_id, p.time, p.key, p.text, p.sureness"
_PROMPTS = f"{_PROMPT} FROM json_each(?) AS wanted JOIN prompts p ON p.session_id = wanted.value"
_PROMPTS_SINCE = f"{_PROMPT} FROM prompts p WHERE p.session_id = ? AND p.agent_id = ? AND p.time >= ?"
_CALLS_OF_A_PIECE = 5_000  # calls that are analysed together
CALLS_AROUND = 100  # how far calls are related: so many calls after a failed one may fix it


class PromptRow(NamedTuple):
    """What a person typed."""

    time: str
    key: int
    text: str
    sureness: str


class Thread(NamedTuple):
    """Calls of a session, or of one of its subagents, in order, and the prompts.

    A very long thread comes in pieces: `own` are the positions of the calls that a piece is about; others surround
    them.
    """

    session_id: str
    steps: list[Step]
    prompts: list[PromptRow]
    own: range
    changed: int = 0  # the position of the first change; before it, only what follows a call changed


def threads(connection: sqlite3.Connection, sessions: Mapping[str, str]) -> Iterator[Thread]:
    """Yields the calls of each session since a moment, or all if that is empty; a session may span several files."""
    yield from _whole(connection, sorted(name for name, since in sessions.items() if not since))
    for name, since in sorted(sessions.items()):
        if since:
            yield from _changed(connection, name, since)


def _whole(connection: sqlite3.Connection, names: list[str]) -> Iterator[Thread]:
    """Reads some sessions at a time."""
    for start in range(0, len(names), _SESSIONS_AT_ONCE):
        wanted = msgspec.json.encode(names[start : start + _SESSIONS_AT_ONCE]).decode()
        prompts_of: dict[tuple[str, str], list[PromptRow]] = {}
        for session_id, agent_id, *fields in connection.execute(_PROMPTS, (wanted,)):
            prompts_of.setdefault((session_id, agent_id), []).append(PromptRow(*fields))
        rows = connection.execute(_CALLS, (wanted,))
        for (session_id, agent_id, _), calls in groupby(rows, key=lambda row: row[:3]):
            prompts = sorted(prompts_of.pop((session_id, agent_id), []))
            yield from _pieces(session_id, (Step(*row[3:]) for row in calls), prompts)


def _changed(connection: sqlite3.Connection, session_id: str, since: str) -> Iterator[Thread]:
    """Includes earlier calls that may be related to one after that moment."""
    for agent_id, sidechain, is_first in _threads_of(connection, session_id):
        place = (session_id, agent_id, sidechain, since)
        rows = connection.execute(_PROMPTS_SINCE, (session_id, agent_id, since)) if is_first else ()
        prompts = sorted(PromptRow(*row[2:]) for row in rows)
        before = [Step(*row) for row in connection.execute(_BEFORE, (*place, CALLS_AROUND))]
        before.reverse()
        after = (Step(*row) for row in connection.execute(_SINCE, place))
        yield from _pieces(session_id, after, prompts, before)


def _threads_of(connection: sqlite3.Connection, session_id: str) -> Iterator[tuple[str, int, bool]]:
    """Yields subagent, side chain, and whether the prompts belong to it; fast, because each is one index lookup."""
    agent_id, sidechain = "", -1
    while True:
        row = connection.execute(_NEXT_SIDECHAIN, (session_id, agent_id, sidechain)).fetchone()
        row = row or connection.execute(_NEXT_AGENT, (session_id, agent_id)).fetchone()
        if row is None:
            return
        is_first = sidechain == -1 or row[0] != agent_id
        agent_id, sidechain = row
        yield agent_id, sidechain, is_first


def _pieces(
    session_id: str, steps: Iterator[Step], prompts: list[PromptRow], before: Sequence[Step] = ()
) -> Iterator[Thread]:
    """Splits long sessions, so that the longest needs no more memory than others; nearly all come in one piece."""
    changed, own = len(before), max(0, len(before) - CALLS_AROUND)
    piece = [*before, *islice(steps, _CALLS_OF_A_PIECE + CALLS_AROUND)]
    while True:
        is_last = len(piece) < changed + _CALLS_OF_A_PIECE + CALLS_AROUND
        end = len(piece) if is_last else changed + _CALLS_OF_A_PIECE
        answers = prompts if is_last else [prompt for prompt in prompts if prompt.time < piece[end].time]
        prompts = prompts[len(answers) :]
        yield Thread(session_id, piece, answers, range(own, end), changed)
        if is_last:
            return
        own = changed = min(end, CALLS_AROUND)
        piece = [*piece[end - own :], *islice(steps, _CALLS_OF_A_PIECE)]
