"""Reads the calls of each thread of a session, in the order in which they were made, with the prompts between."""

import sqlite3
from collections.abc import Iterable, Iterator
from itertools import groupby, islice
from typing import NamedTuple

import msgspec

from lessons.episode import Step

_SESSIONS_AT_ONCE = 200
# A command says all of a shell's arguments; what was written into files is long, and cannot be compared.
_STEP = """
       c.tool_use_id, c.tool, c.program, c.subcommand, c.command, c.path,
       iif(c.command <> '' OR c.tool IN ('Edit', 'Write', 'MultiEdit', 'NotebookEdit', 'Task', 'Agent'),
           '', c.arguments),
       c.outcome, c.error, c.suspicious, c.cwd, c.time, c.ended, c.exit_code, c.hides_exit
"""
_CALLS = f"""
SELECT c.session_id, c.agent_id, c.sidechain, {_STEP}
FROM json_each(?) AS wanted JOIN calls c ON c.session_id = wanted.value JOIN sources s ON s.id = c.source_id
ORDER BY c.session_id, c.agent_id, c.sidechain, c.time, s.path, s.generation, c.position, c.block
"""
_PROMPTS = """
SELECT p.session_id, p.agent_id, p.time, p.key, p.text, p.sureness
FROM json_each(?) AS wanted JOIN prompts p ON p.session_id = wanted.value
"""
_CALLS_OF_A_PIECE = 5_000  # calls that are looked at together, and those before and behind them that may matter to them
_CALLS_AROUND = 100


class PromptRow(NamedTuple):
    """What a person typed."""

    time: str
    key: int
    text: str
    sureness: str


class Thread(NamedTuple):
    """Calls of a session, or of one of its subagents, in the order in which they were made; and the prompts.

    A very long one comes in pieces: `own` are the places of the calls that it is about, around them stand others.
    """

    session_id: str
    steps: list[Step]
    prompts: list[PromptRow]
    own: range


def threads(connection: sqlite3.Connection, sessions: Iterable[str]) -> Iterator[Thread]:
    """Some sessions at a time; a session may go on in several files."""
    names = sorted(sessions)
    for start in range(0, len(names), _SESSIONS_AT_ONCE):
        wanted = msgspec.json.encode(names[start : start + _SESSIONS_AT_ONCE]).decode()
        prompts_of: dict[tuple[str, str], list[PromptRow]] = {}
        for session_id, agent_id, *fields in connection.execute(_PROMPTS, (wanted,)):
            prompts_of.setdefault((session_id, agent_id), []).append(PromptRow(*fields))
        rows = connection.execute(_CALLS, (wanted,))
        for (session_id, agent_id, _), calls in groupby(rows, key=lambda row: row[:3]):
            prompts = sorted(prompts_of.pop((session_id, agent_id), []))
            yield from _pieces(session_id, (Step(*row[3:]) for row in calls), prompts)


def _pieces(session_id: str, steps: Iterator[Step], prompts: list[PromptRow]) -> Iterator[Thread]:
    """So that the longest session needs no more memory than another; nearly all come in one."""
    before, piece = 0, list(islice(steps, _CALLS_OF_A_PIECE + _CALLS_AROUND))
    while True:
        is_last = len(piece) < before + _CALLS_OF_A_PIECE + _CALLS_AROUND
        end = len(piece) if is_last else before + _CALLS_OF_A_PIECE
        answers = prompts if is_last else [prompt for prompt in prompts if prompt.time < piece[end].time]
        prompts = prompts[len(answers) :]
        yield Thread(session_id, piece, answers, range(before, end))
        if is_last:
            return
        before = min(end, _CALLS_AROUND)
        piece = [*piece[end - before :], *islice(steps, _CALLS_OF_A_PIECE)]
