"""The tables about sessions: project, times and title, threads of calls and prompts, and which to mine again."""

import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby, islice
from typing import NamedTuple

import msgspec

from lessons.episode import Step
from lessons.store.history import database
from lessons.store.history.database import Part, as_json
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


class FailedHooks(NamedTuple):
    """Turns that ended with a failed hook, out of all that ended with hooks; and the last one."""

    failed: int
    turns: int
    is_newest: bool = False  # no later turn ended without such a failure
    time: str = ""
    project: str = ""
    error: str = ""


class StopHookRuns(Part):
    """How hooks of any program ended, at the ends of turns."""

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
VERSION = 6
_STAMP = "mining"
_SINCE = (
    "SELECT t.session_id, min(t.time) FROM json_each(?) AS wanted JOIN {table} t ON t.{column} = wanted.value"
    " GROUP BY t.session_id"
)
_ADD = (
    "INSERT INTO unmined (session_id, since, active) VALUES (?, ?, ?) ON CONFLICT (session_id) DO UPDATE"
    " SET since = min(since, excluded.since), active = max(active, excluded.active)"
)
_TO_LEDGER = "INSERT OR IGNORE INTO unjudged (session_id)"


class SessionsToMine(Part):
    """The sessions that must be mined again."""

    def is_empty(self, window: int) -> bool:
        """Whether there is nothing to mine: no session is pending, and all were mined with this version and window."""
        one = self._connection.execute("SELECT 1 FROM unmined LIMIT 1").fetchone()
        return one is None and self.is_current(window)

    def is_current(self, window: int) -> bool:
        """Whether every session that is not pending was mined with this version and window."""
        return database.get_fact(self._connection, _STAMP) == _stamp(window)

    def begin(self, window: int) -> None:
        """Marks an empty history as current, so that each session is mined when it arrives, not all of them."""
        one = "SELECT EXISTS (SELECT 1 FROM calls) OR EXISTS (SELECT 1 FROM prompts)"
        if not database.get_fact(self._connection, _STAMP) and not self._connection.execute(one).fetchone()[0]:
            database.put_fact(self._connection, _STAMP, _stamp(window))

    def were_of_another_version(self) -> bool:
        """Whether another version of lessons was the last to mine."""
        stamp = database.get_fact(self._connection, _STAMP)
        return stamp != "" and stamp.partition("/")[0] != str(VERSION)

    def since(self, window: int) -> dict[str, str]:
        """Returns those that changed, with the moment since which; all, completely, after another version or window."""
        if self.is_current(window):
            return dict(self._connection.execute("SELECT session_id, since FROM unmined").fetchall())
        rows = self._connection.execute("SELECT session_id FROM calls UNION SELECT session_id FROM prompts")
        return dict.fromkeys((row[0] for row in rows), "")

    def last_writes(self) -> dict[str, float]:
        """Returns when a transcript of each changed session was last written, in seconds since 1970."""
        return dict(self._connection.execute("SELECT session_id, active FROM unmined").fetchall())

    def done(self, sessions: Iterable[str] | None, window: int) -> None:
        """Marks these, or all, as mined; what is not pending now was mined with this version and window."""
        if sessions is None:
            self._connection.execute("DELETE FROM unmined")
        else:
            self._connection.executemany("DELETE FROM unmined WHERE session_id = ?", [(name,) for name in sessions])
        database.put_fact(self._connection, _STAMP, _stamp(window))


def add(connection: sqlite3.Connection, sessions: Iterable[str]) -> None:
    """Adds whole sessions, in the transaction that changes them."""
    names = list(sessions)
    connection.executemany(
        "INSERT INTO unmined (session_id) VALUES (?) ON CONFLICT (session_id) DO UPDATE SET since = ''",
        [(name,) for name in names],
    )
    add_to_ledger(connection, names)


def add_to_ledger(connection: sqlite3.Connection, sessions: Iterable[str]) -> None:
    """Adds sessions in which only the log of the hook changed, or which need no mining."""
    connection.executemany(f"{_TO_LEDGER} VALUES (?)", [(name,) for name in sessions])


def add_named(
    connection: sqlite3.Connection, tool_use_ids: Iterable[str], prompts: Iterable[int], active: float
) -> None:
    """Adds the sessions that these are stored under now, from the first of them on."""
    _add(connection, "calls", "tool_use_id", list(tool_use_ids), active)
    _add(connection, "prompts", "key", list(prompts), active)


def add_changed(connection: sqlite3.Connection, calls: Iterable[int], prompts: Iterable[int], active: float) -> None:
    """Adds the same for calls by their numbers."""
    _add(connection, "calls", "id", list(calls), active)
    _add(connection, "prompts", "key", list(prompts), active)


def _add(connection: sqlite3.Connection, table: str, column: str, names: list[str] | list[int], active: float) -> None:
    if names:
        wanted = as_json(names)
        # One lookup for both tables: there are many rows, but nearly always one session.
        found = connection.execute(_SINCE.format(table=table, column=column), (wanted,)).fetchall()
        connection.executemany(_ADD, [(name, since, active) for name, since in found])
        add_to_ledger(connection, [name for name, _ in found])


def _stamp(window: int) -> str:
    return f"{VERSION}/{window}"


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
_CALLS_SINCE = f"{_OF_THREAD} AND c.time >= ? ORDER BY {_ORDER}"
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
        wanted = as_json(names[start : start + _SESSIONS_AT_ONCE])
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
        after = (Step(*row) for row in connection.execute(_CALLS_SINCE, place))
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
