"""The table `calls` for reading: single calls, the successes of a family, and all that a trigger may fire on."""

import sqlite3
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Any

import msgspec

from lessons.store.history.call_filter import CallFilter, Condition, condition_of
from lessons.store.history.database import Part, plain_rows
from lessons.store.history.row_numbers import RowNumbers, Run

# Of a family that is used all day, the newest tell enough.
MOST_SUCCESSES = 20_000
MOST_FAILURES = 5_000
_ROWS_AT_ONCE = 1_000
_LINES_AT_ONCE = 500  # as values of one query, of which older SQLite takes 999
_COLUMNS = "tool_use_id, tool, command, arguments, error, cwd, agent, model, program, subcommand"
_OFTEN_THE_SAME = 5  # from cwd on
_ALL_COLUMNS = f"{_COLUMNS}, session_id, project, time, c.path, outcome, error_fingerprint, suspicious"
_JOINED = "FROM json_each(?) AS wanted JOIN calls c ON c.tool_use_id = wanted.value"
_BY_ID = f"SELECT {_ALL_COLUMNS} FROM json_each(?) AS wanted JOIN calls c ON c.id = wanted.value WHERE c.time >= ?"
# By time and name: the numbers of rows depend on the order in which files were read.
# What reads like a failure behind a pipe proves nothing.
_NEWEST_GOOD = "outcome = 'ok' AND NOT suspicious AND {visible} ORDER BY time DESC, tool_use_id LIMIT ?"
_OF_PROGRAM = (
    f"SELECT {_COLUMNS} FROM calls INDEXED BY calls_by_program"
    f" WHERE program = ? AND subcommand = ? AND program <> '' AND {_NEWEST_GOOD}"
)
_OF_ANY_SUBCOMMAND = (
    f"SELECT {_COLUMNS} FROM calls INDEXED BY calls_by_program WHERE program = ? AND program <> '' AND {_NEWEST_GOOD}"
)
# The name of a fact: the moment before which good calls may have lost their arguments. Those compare with nothing.
LOST_BEFORE = "argumentsLostBefore"
_OF_TOOL = (
    f"SELECT {_COLUMNS} FROM calls WHERE tool = ?"
    f" AND time >= coalesce((SELECT value FROM facts WHERE name = '{LOST_BEFORE}'), '') AND {_NEWEST_GOOD}"
)
_NEWEST_FAILED = (
    f"SELECT {_COLUMNS} FROM calls WHERE outcome = 'failed' AND error <> '' AND {{visible}}"
    " ORDER BY time DESC, tool_use_id LIMIT ?"
)
_FAILED_TEXTS = "SELECT id, tool, command, error FROM calls WHERE outcome = 'failed'"
_OF_LINES = (
    f"SELECT {_ALL_COLUMNS} FROM calls c INDEXED BY calls_by_command"
    " WHERE c.command <> '' AND c.command IN ({lines}) AND c.time >= ? AND {visible}"
)
_OF_SESSION = (
    "SELECT tool_use_id, agent_id, tool, program, subcommand, command, cwd, project, agent, model, outcome,"
    " suspicious, error <> '', time, session_id FROM calls WHERE session_id = ? ORDER BY time, tool_use_id"
)
_SPAN = "SELECT min(nullif(first_time, '')), max(last_time) FROM sessions"
_SPAN_OF_CALLS = "SELECT min(nullif(time, '')), max(time) FROM calls"
_IN_A_MESSAGE_WITH_CD = """
SELECT tool_use_id FROM calls WHERE session_id = :session AND message_id IN (
    SELECT message_id FROM calls WHERE session_id = :session AND message_id <> ''
    GROUP BY message_id HAVING count(*) > 1 AND max(command LIKE '%cd %' OR command LIKE '%pushd %'))
"""
_OUTCOMES = """
SELECT c.outcome, count(*) FROM json_each(?) AS run JOIN calls c
    ON c.id BETWEEN json_extract(run.value, '$[0]') AND json_extract(run.value, '$[1]') GROUP BY c.outcome
"""

FailedText = tuple[int, str, str, str]  # its number, tool, command and error
Keep = Callable[[Any], object]  # of a preview; whatever it returns is taken for yes or no


class StoredCall(msgspec.Struct, frozen=True, gc=False):
    """What a call was asked to do, and the error it ended in if it did."""

    tool_use_id: str
    tool: str
    command: str
    arguments: str  # JSON
    error: str
    cwd: str
    agent: str
    model: str
    program: str  # of shell calls
    subcommand: str


class PastCall(StoredCall, frozen=True, gc=False):
    """A call with its outcome."""

    session_id: str
    project: str
    time: str
    path: str
    outcome: str
    error_fingerprint: str
    suspicious: int


class SessionCall(msgspec.Struct, frozen=True, gc=False):
    """What decides whether a call of a session counts, without its arguments and its error."""

    tool_use_id: str
    agent_id: str  # empty in the main thread
    tool: str
    program: str
    subcommand: str
    command: str
    cwd: str
    project: str
    agent: str
    model: str
    outcome: str
    suspicious: int
    has_error: int
    time: str
    session_id: str


class PastCalls(Part):
    """Every call of a history, or those of some sessions alone."""

    def __init__(self, connection: sqlite3.Connection, path: str, visible: str = "1") -> None:
        super().__init__(connection, path)
        self._visible = visible  # the condition in SQL that a call must meet to be seen

    @property
    def is_whole(self) -> bool:
        """Whether every call of the history is seen."""
        return self._visible == "1"

    def count(self, at_most: int | None = None) -> int:
        """All calls; with `at_most` no more of them are counted, which takes less time."""
        if at_most is not None:
            some = f"SELECT 1 FROM calls WHERE {self._visible} LIMIT ?"
            return int(self._connection.execute(f"SELECT count(*) FROM ({some})", (at_most,)).fetchone()[0])
        where = "" if self._visible == "1" else f" WHERE {self._visible}"  # any condition makes SQLite look at each row
        return int(self._connection.execute(f"SELECT count(*) FROM calls{where}").fetchone()[0])

    def tally(self) -> list[tuple[str, str, int]]:
        """How many calls each agent made, by outcome."""
        sql = f"SELECT agent, outcome, count(*) FROM calls WHERE {self._visible} GROUP BY agent, outcome ORDER BY 1, 2"
        return [(agent, outcome, number) for agent, outcome, number in self._connection.execute(sql)]

    def of_session(self, session_id: str) -> list[SessionCall]:
        """In the order in which they were made."""
        with plain_rows(self._connection) as rows:
            return [SessionCall(*row) for row in rows.execute(_OF_SESSION, (session_id,))]

    def count_failed(self) -> int:
        sql = f"SELECT count(*) FROM calls WHERE outcome = 'failed' AND {self._visible}"
        return int(self._connection.execute(sql).fetchone()[0])

    def named(self, tool_use_ids: Iterable[str]) -> list[StoredCall]:
        """The calls with these ids, in the order of the ids; leaves out what was forgotten."""
        wanted = list(dict.fromkeys(tool_use_ids))
        rows = self._connection.execute(f"SELECT {_COLUMNS} {_JOINED} WHERE {self._visible}", (_json(wanted),))
        found = {row[0]: StoredCall(*row) for row in rows}
        return [found[name] for name in wanted if name in found]

    def whole(self, tool_use_ids: Iterable[str]) -> list[PastCall]:
        """The same with their outcomes, in any order."""
        wanted = _json(list(dict.fromkeys(tool_use_ids)))
        rows = self._connection.execute(f"SELECT {_ALL_COLUMNS} {_JOINED} WHERE {self._visible}", (wanted,))
        return [PastCall(*row) for row in rows]

    def count_named(self, tool_use_ids: Collection[str], since: str = "") -> int:
        """How many of these calls the history holds."""
        sql = f"SELECT count(*) {_JOINED} WHERE c.time >= ? AND {self._visible}"
        return int(self._connection.execute(sql, (_json(sorted(set(tool_use_ids))), since)).fetchone()[0])

    def error_fingerprints(self, tool_use_ids: Iterable[str]) -> set[str]:
        """Of the errors that these calls ended in."""
        wanted = _json(list(dict.fromkeys(tool_use_ids)))
        rows = self._connection.execute(f"SELECT DISTINCT error_fingerprint {_JOINED} WHERE {self._visible}", (wanted,))
        return {str(row[0]) for row in rows} - {""}

    def projects_of(self, tool_use_ids: Iterable[str]) -> dict[str, str]:
        """The project of each of these calls."""
        wanted = _json(list(dict.fromkeys(tool_use_ids)))
        sql = f"SELECT tool_use_id, project {_JOINED} WHERE {self._visible}"
        return dict(self._connection.execute(sql, (wanted,)).fetchall())

    def past(self, tool_use_ids: Iterable[str]) -> list[PastCall]:
        """The calls with these ids and their outcomes, in the order of the ids."""
        wanted = list(dict.fromkeys(tool_use_ids))
        rows = self._connection.execute(f"SELECT {_ALL_COLUMNS} {_JOINED} WHERE {self._visible}", (_json(wanted),))
        found = {row[0]: PastCall(*row) for row in rows}
        return [found[name] for name in wanted if name in found]

    def worked_with(self, text: str) -> bool:
        """Whether a call that succeeded has this text in its command or its arguments."""
        sql = (
            "SELECT 1 FROM calls WHERE outcome = 'ok' AND NOT suspicious"
            f" AND (instr(command, ?) OR instr(arguments, ?)) AND {self._visible} LIMIT 1"
        )
        return self._connection.execute(sql, (text, text)).fetchone() is not None

    def successes_of_program(self, program: str, subcommand: str, limit: int = MOST_SUCCESSES) -> list[StoredCall]:
        """Shell calls of this program and sub-command that succeeded, the newest first."""
        return self._newest(_OF_PROGRAM, (program, subcommand, limit))

    def successes_with_any_subcommand(self, program: str, limit: int = MOST_SUCCESSES) -> list[StoredCall]:
        """Shell calls of this program that succeeded, the newest first."""
        return self._newest(_OF_ANY_SUBCOMMAND, (program, limit))

    def successes_of_tool(self, tool: str, limit: int = MOST_SUCCESSES) -> list[StoredCall]:
        """Calls of a tool other than a shell that succeeded, the newest first."""
        return self._newest(_OF_TOOL, (tool, limit))

    def newest_failures(self, limit: int = MOST_FAILURES) -> list[StoredCall]:
        """Failed calls with their errors, the newest first."""
        return self._newest(_NEWEST_FAILED, (limit,))

    def _newest(self, sql: str, values: tuple[object, ...]) -> list[StoredCall]:
        same: dict[str, str] = {}
        with plain_rows(self._connection) as rows:
            rows.execute(sql.format(visible=self._visible), values)
            # Folders, models and programs are few: tens of thousands of calls need not hold a copy each.
            return [
                StoredCall(*row[:_OFTEN_THE_SAME], *(same.setdefault(text, text) for text in row[_OFTEN_THE_SAME:]))
                for row in rows
            ]

    def matching(self, wanted: CallFilter, keeps: Sequence[Keep], since: str = "") -> Iterator[PastCall]:
        """Those that the filter lets through and whose preview all keep; only these are read as a whole."""
        condition = condition_of(wanted)
        if wanted.is_of_lines:
            yield from self._with_lines(condition, keeps, since)
            return
        with plain_rows(self._connection) as found:
            found.execute(f"SELECT id, {condition.column} FROM calls WHERE {condition.sql}", condition.values)
            while some := found.fetchmany(_ROWS_AT_ONCE):
                for keep in keeps:
                    some = [row for row in some if keep(row[1])]
                yield from self.of_rows([number for number, _ in some], since)

    def _with_lines(self, condition: Condition, keeps: Sequence[Keep], since: str) -> Iterator[PastCall]:
        """The same of every shell call: each line is shown once, however often it was run."""
        with plain_rows(self._connection) as found, plain_rows(self._connection) as rows:
            found.execute(f"SELECT DISTINCT command FROM calls WHERE {condition.sql}", condition.values)
            while some := found.fetchmany(_LINES_AT_ONCE):
                lines = [line for (line,) in some]
                for keep in keeps:
                    lines = [line for line in lines if keep(line)]
                if lines:
                    sql = _OF_LINES.format(lines=", ".join("?" * len(lines)), visible=self._visible)
                    yield from (PastCall(*row) for row in rows.execute(sql, [*lines, since]))

    def failed_texts(self) -> Iterator[list[FailedText]]:
        """What failed calls say, some at a time: to read them as a whole takes twice as long."""
        with plain_rows(self._connection) as found:
            found.execute(f"{_FAILED_TEXTS} AND {self._visible}")
            while some := found.fetchmany(_ROWS_AT_ONCE):
                yield some

    def of_rows(self, numbers: list[int], since: str = "") -> Iterator[PastCall]:
        """The calls with these numbers."""
        for start in range(0, len(numbers), _ROWS_AT_ONCE):
            wanted = _json(numbers[start : start + _ROWS_AT_ONCE])
            with plain_rows(self._connection) as rows:
                found = rows.execute(f"{_BY_ID} AND {self._visible}", (wanted, since)).fetchall()
            yield from (PastCall(*row) for row in found)

    def time_span(self) -> tuple[str, str]:
        """The first and the last known time; empty if there is none."""
        first, last = self._connection.execute(f"{_SPAN} WHERE {self._visible}").fetchone()
        if not first or not last:  # a scan always leaves sessions, and they are few
            first, last = self._connection.execute(f"{_SPAN_OF_CALLS} WHERE {self._visible}").fetchone()
        return first or "", last or ""

    def in_a_message_with_cd(self, session_id: str) -> frozenset[str]:
        """Calls made together with one that may change the folder: theirs was written before any of them ran."""
        with plain_rows(self._connection) as rows:
            return frozenset(name for (name,) in rows.execute(_IN_A_MESSAGE_WITH_CD, {"session": session_id}))

    def numbered(self, rows: RowNumbers, limit: int) -> list[PastCall]:
        """These rows, the newest last, and no more than so many."""
        wanted = (_json(rows.newest(limit)), "")
        return [PastCall(*row) for row in self._connection.execute(f"{_BY_ID} ORDER BY c.id", wanted)]

    def outcomes(self, rows: RowNumbers) -> dict[str, int]:
        """How many of these rows ended in each outcome."""
        return dict(self._connection.execute(_OUTCOMES, (_json(rows.runs()),)).fetchall())


def _json(values: list[str] | list[int] | list[Run]) -> str:
    return msgspec.json.encode(values).decode()
