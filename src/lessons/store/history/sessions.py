"""The tables about sessions: project, times and title, threads of calls and prompts, and which to mine again."""

import sqlite3
from collections.abc import Iterable, Iterator
from itertools import groupby, islice
from typing import NamedTuple

import msgspec

from lessons.episode import Step
from lessons.store.history import database
from lessons.store.history.database import HistoryPart, as_json, texts
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
    session_id: str
    project: str
    start: str
    end: str


class StoredSessions(HistoryPart):
    def spans(self) -> list[SessionSpan]:
        """Returns them in order of their start; leaves out those whose times are unknown."""
        return [SessionSpan(*row) for row in self._connection.execute(_SPANS)]

    def last_time(self, agent: str, began_after: str) -> str:
        """Returns the time of the newest record in a session of the agent that began later; empty if there is none."""
        sql = "SELECT max(last_time) FROM sessions WHERE agent = ? AND first_time > ?"
        return self._connection.execute(sql, (agent, began_after)).fetchone()[0] or ""

    def projects(self) -> list[str]:
        return sorted(texts(self._connection, "SELECT DISTINCT project FROM sessions WHERE project <> ''"))

    def threads(self, sessions: Iterable[str]) -> "Iterator[Thread]":
        """Yields the calls of these sessions, some sessions at a time; a session may span several files."""
        names = sorted(set(sessions))
        for start in range(0, len(names), _SESSIONS_AT_ONCE):
            wanted = as_json(names[start : start + _SESSIONS_AT_ONCE])
            prompts_of: dict[tuple[str, str], list[PromptRow]] = {}
            for session_id, agent_id, *fields in self._connection.execute(_PROMPTS, (wanted,)):
                prompts_of.setdefault((session_id, agent_id), []).append(PromptRow(*fields))
            rows = self._connection.execute(_CALLS, (wanted,))
            for (session_id, agent_id, _), calls in groupby(rows, key=lambda row: row[:3]):
                prompts = sorted(prompts_of.pop((session_id, agent_id), []))
                yield from _pieces(session_id, (Step(*row[3:]) for row in calls), prompts)


def write(connection: sqlite3.Connection, agent: str, rows: Iterable[SessionRow]) -> None:
    connection.executemany(_MERGE, [(agent, *msgspec.structs.astuple(row)) for row in rows])


class FailedHooks(NamedTuple):
    """Turns that ended with a failed hook, out of all that ended with hooks; and the last one."""

    failed: int
    turns: int
    is_newest: bool = False  # no later turn ended without such a failure
    time: str = ""
    project: str = ""
    error: str = ""


class StopHookRuns(HistoryPart):
    def failed_since(self, moment: str) -> FailedHooks:
        failed, turns, newest = self._connection.execute(
            "SELECT count(*) FILTER (WHERE errors <> '[]'), count(*), max(time) FROM stop_hooks WHERE time >= ?",
            (moment,),
        ).fetchone()
        if not failed:
            return FailedHooks(0, turns)
        time, project, errors = self._connection.execute(
            "SELECT time, project, errors FROM stop_hooks WHERE time >= ? AND errors <> '[]'"
            " ORDER BY time DESC, id DESC LIMIT 1",
            (moment,),
        ).fetchone()
        first = next(iter(msgspec.json.decode(errors, type=list[str])), "")
        return FailedHooks(failed, turns, time == newest, time, project, first)


# Another version mines every session again.
VERSION = 8
_STAMP = "mining"
_TO_LEDGER = "INSERT OR IGNORE INTO unjudged (session_id) VALUES (?)"


class SessionsToMine(HistoryPart):
    def is_empty(self, window: int) -> bool:
        """Whether there is nothing to mine: no session is pending, and all were mined with this version and window."""
        one = self._connection.execute("SELECT 1 FROM unmined LIMIT 1").fetchone()
        return one is None and self.is_current(window)

    def is_current(self, window: int) -> bool:
        """Whether every session that is not pending was mined with this version and window."""
        return database.get_fact(self._connection, _STAMP) == f"{VERSION}/{window}"

    def begin(self, window: int) -> None:
        """Marks an empty history as current, so that each session is mined when it arrives, not all of them."""
        one = "SELECT EXISTS (SELECT 1 FROM calls) OR EXISTS (SELECT 1 FROM prompts)"
        if not database.get_fact(self._connection, _STAMP) and not self._connection.execute(one).fetchone()[0]:
            database.put_fact(self._connection, _STAMP, f"{VERSION}/{window}")

    def were_of_another_version(self) -> bool:
        """Whether another version of lessons was the last to mine."""
        stamp = database.get_fact(self._connection, _STAMP)
        return stamp != "" and stamp.partition("/")[0] != str(VERSION)

    def names(self, window: int) -> set[str]:
        """Returns those that changed; all of them after another version or window."""
        changed = "SELECT session_id FROM unmined"
        every = "SELECT session_id FROM calls UNION SELECT session_id FROM prompts"
        return texts(self._connection, changed if self.is_current(window) else every)

    def last_writes(self) -> dict[str, float]:
        """Returns when a transcript of each changed session was last written, in seconds since 1970."""
        return dict(self._connection.execute("SELECT session_id, active FROM unmined").fetchall())

    def done(self, sessions: Iterable[str] | None, window: int) -> None:
        """Marks these, or all, as mined; what is not pending now was mined with this version and window."""
        if sessions is None:
            self._connection.execute("DELETE FROM unmined")
        else:
            self._connection.executemany("DELETE FROM unmined WHERE session_id = ?", [(name,) for name in sessions])
        database.put_fact(self._connection, _STAMP, f"{VERSION}/{window}")


def add(connection: sqlite3.Connection, sessions: Iterable[str], active: float = 0.0) -> None:
    """Queues sessions for mining and for the ledger, in the transaction that changes them."""
    names = sorted(sessions)
    connection.executemany(
        "INSERT INTO unmined (session_id, active) VALUES (?, ?) ON CONFLICT (session_id) DO UPDATE"
        " SET active = max(active, excluded.active)",
        [(name, active) for name in names],
    )
    add_to_ledger(connection, names)


def add_of(
    connection: sqlite3.Connection, table: str, column: str, values: Iterable[str] | Iterable[int], active: float
) -> None:
    """Queues the sessions that these calls or prompts are stored under now."""
    sql = f"SELECT DISTINCT t.session_id FROM json_each(?) AS wanted JOIN {table} t ON t.{column} = wanted.value"
    if wanted := list(values):
        add(connection, texts(connection, sql, (as_json(wanted),)), active)


def add_to_ledger(connection: sqlite3.Connection, sessions: Iterable[str]) -> None:
    """Queues sessions in which only the log of the hook changed, or which need no mining."""
    connection.executemany(_TO_LEDGER, [(name,) for name in sessions])


_SESSIONS_AT_ONCE = 200
# A command contains all of a shell's arguments.
_CALLS = """
SELECT c.session_id, c.agent_id, c.sidechain,
    c.tool_use_id, c.tool, c.program, c.subcommand, c.command, c.path, iif(c.command <> '', '', c.arguments),
    c.outcome, c.error, c.suspicious, c.cwd, c.time, c.ended, c.exit_code, c.hides_exit
FROM json_each(?) AS wanted JOIN calls c ON c.session_id = wanted.value JOIN sources s ON s.id = c.source_id
ORDER BY c.session_id, c.agent_id, c.sidechain, c.time, s.path, s.generation, c.position, c.block
"""
_PROMPTS = """
SELECT p.session_id, p.agent_id, p.time, p.key, p.text, p.sureness
FROM json_each(?) AS wanted JOIN prompts p ON p.session_id = wanted.value
"""
_CALLS_OF_A_PIECE = 5_000  # calls that are analysed together
CALLS_AROUND = 100  # how far calls are related: so many calls after a failed one may fix it


class PromptRow(NamedTuple):
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


def _pieces(session_id: str, steps: Iterator[Step], prompts: list[PromptRow]) -> Iterator[Thread]:
    """Splits long sessions, so that the longest needs no more memory than others; nearly all come in one piece."""
    own = 0
    piece = list(islice(steps, _CALLS_OF_A_PIECE + CALLS_AROUND))
    while True:
        is_last = len(piece) < own + _CALLS_OF_A_PIECE + CALLS_AROUND
        end = len(piece) if is_last else own + _CALLS_OF_A_PIECE
        answers = prompts if is_last else [prompt for prompt in prompts if prompt.time < piece[end].time]
        prompts = prompts[len(answers) :]
        yield Thread(session_id, piece, answers, range(own, end))
        if is_last:
            return
        own = min(end, CALLS_AROUND)
        piece = [*piece[end - own :], *islice(steps, _CALLS_OF_A_PIECE)]
