"""The table `calls` for reading: single calls, the successes of a family, and all that a trigger may fire on."""

import heapq
import sqlite3
import string
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Any, Literal, NamedTuple

import msgspec

from lessons.store.history.database import Part, as_json, plain_rows

Folding = Literal["exact", "lower", "ignore case"]  # what is done to a text before a literal is looked for in it
About = Literal["every call", "command", "path", "arguments", "error"]
Preview = Literal["command", "path", "tool"]

_MOST_SETS = 3
# What IGNORECASE takes for an ASCII letter although lower() of SQLite does not.
_LOOKALIKES = (("\u0130", "i"), ("\u0131", "i"), ("\u017f", "s"), ("\u212a", "k"))
_HAS_PATH = "path <> '' OR tool = 'apply_patch'"
_PRESENT: dict[About, str] = {
    "command": "command <> ''",
    "error": "outcome = 'failed' AND error <> ''",
}
_PREVIEWS: dict[Preview, str] = {
    "command": "command",
    "path": "CASE WHEN path GLOB '/*' AND NOT instr(path, char(10)) THEN path || char(10) || arguments END",
    "tool": "tool",
}
# Characters that JSON writes as they are; any of them may still stand there as \uXXXX.
_PLAIN_IN_JSON = frozenset(string.ascii_letters + string.digits + " !#$%&'()*+,-.:;<=>?@[]^_`{|}~")

_SQL = tuple[str, list[str]]  # a condition and its values
_EVERYTHING: _SQL = ("1", [])


class Needed(NamedTuple):
    """What one pattern cannot match without: of each set one literal, once text and literal are folded."""

    sets: Sequence[tuple[str, ...]]  # none: any text may match
    folding: Folding = "exact"


class Texts(NamedTuple):
    """Calls that have such a text, which holds what one of the patterns needs; without patterns, whatever it says."""

    about: About
    needed: Sequence[Needed] = ()


class CallFilter(NamedTuple):
    """Calls that any of the texts fits; no text at all: no call.

    `preview` is what the caller is shown of each of them to decide whether to read it as a whole: the command, the
    tool, or the path with the arguments on a line below (None if the path is not absolute).
    """

    any_of: Sequence[Texts]
    preview: Preview = "tool"

    @property
    def is_of_lines(self) -> bool:
        """Whether it is about shell calls alone, of which the line is shown."""
        return self.preview == "command" and all(texts.about == "command" for texts in self.any_of)


class Condition(NamedTuple):
    """The same in SQL."""

    sql: str
    values: list[str]
    column: str


def condition_of(wanted: CallFilter) -> Condition:
    parts = [_sql_of(texts) for texts in wanted.any_of]
    joined = " OR ".join(f"({sql})" for sql, _ in parts) or "0"
    return Condition(joined, [value for _, values in parts for value in values], _PREVIEWS[wanted.preview])


def _sql_of(texts: Texts) -> _SQL:
    if texts.about == "every call":
        return _EVERYTHING
    if texts.about == "path":
        return _HAS_PATH, []
    sql, values = _holds(texts.about, texts.needed) if texts.needed else _EVERYTHING
    return (f"{_PRESENT[texts.about]} AND ({sql})", values) if texts.about in _PRESENT else (sql, values)


def _holds(column: str, needed: Sequence[Needed]) -> _SQL:
    in_json = column == "arguments"
    parts: list[str] = []
    values: list[str] = []
    for each in needed:
        sets = [one for one in each.sets if not in_json or _PLAIN_IN_JSON.issuperset("".join(one))][:_MOST_SETS]
        if not sets:
            return _EVERYTHING
        text = _folded(column, each.folding)
        holds = [" OR ".join([f"instr({text}, ?)"] * len(one)) for one in sets]
        parts.append(" AND ".join(f"({one})" for one in holds))
        values += [literal for one in sets for literal in one]
    if in_json:
        parts.append(rf"instr({column}, '\u')")
    return " OR ".join(f"({part})" for part in parts), values


def _folded(column: str, folding: Folding) -> str:
    if folding == "exact":
        return column
    if folding == "ignore case":
        for character, letter in _LOOKALIKES:
            column = f"replace({column}, '{character}', '{letter}')"
    return f"lower({column})"


# Of a family that is used all day, the newest tell enough.
MOST_SUCCESSES = 20_000
MOST_FAILURES = 5_000
_ROWS_AT_ONCE = 1_000
_LINES_AT_ONCE = 500  # as values of one query, of which older SQLite takes 999
_COLUMNS = "tool_use_id, tool, command, arguments, error, cwd, agent, model, program, subcommand"
_OFTEN_THE_SAME = 5  # from cwd on
_ALL_COLUMNS = f"{_COLUMNS}, session_id, project, time, c.path, outcome, error_fingerprint, suspicious"
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
_IN_A_MESSAGE_WITH_CD = """
SELECT tool_use_id FROM calls WHERE session_id = :session AND message_id IN (
    SELECT message_id FROM calls WHERE session_id = :session AND message_id <> ''
    GROUP BY message_id HAVING count(*) > 1 AND max(command LIKE '%cd %' OR command LIKE '%pushd %'))
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
        return [StoredCall(*row) for row in self._named(_COLUMNS, tool_use_ids)]

    def past(self, tool_use_ids: Iterable[str]) -> list[PastCall]:
        """The same with their outcomes."""
        return [PastCall(*row) for row in self._named(_ALL_COLUMNS, tool_use_ids)]

    def count_named(self, tool_use_ids: Iterable[str], since: str = "") -> int:
        """How many of these calls the history holds."""
        return sum(time >= since for (time,) in self._named("time", tool_use_ids))

    def error_fingerprints(self, tool_use_ids: Iterable[str]) -> set[str]:
        """Of the errors that these calls ended in."""
        return {found for (found,) in self._named("error_fingerprint", tool_use_ids)} - {""}

    def projects_of(self, tool_use_ids: Iterable[str]) -> dict[str, str]:
        """The project of each of these calls."""
        return dict(self._named("tool_use_id, project", tool_use_ids))

    def _named(self, columns: str, tool_use_ids: Iterable[str]) -> list[tuple[Any, ...]]:
        wanted = as_json(list(dict.fromkeys(tool_use_ids)))
        sql = (
            f"SELECT {columns} FROM json_each(?) AS wanted CROSS JOIN calls c ON c.tool_use_id = wanted.value"
            f" WHERE {self._visible} ORDER BY wanted.key"
        )
        with plain_rows(self._connection) as rows:
            return rows.execute(sql, (wanted,)).fetchall()

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
            wanted = as_json(numbers[start : start + _ROWS_AT_ONCE])
            with plain_rows(self._connection) as rows:
                found = rows.execute(f"{_BY_ID} AND {self._visible}", (wanted, since)).fetchall()
            yield from (PastCall(*row) for row in found)

    def time_span(self) -> tuple[str, str]:
        """The first and the last known time; empty if there is none."""
        first, last = self._connection.execute(f"{_SPAN} WHERE {self._visible}").fetchone()
        return first or "", last or ""

    def in_a_message_with_cd(self, session_id: str) -> frozenset[str]:
        """Calls made together with one that may change the folder: theirs was written before any of them ran."""
        with plain_rows(self._connection) as rows:
            return frozenset(name for (name,) in rows.execute(_IN_A_MESSAGE_WITH_CD, {"session": session_id}))

    def numbered(self, rows: Collection[int], limit: int) -> list[PastCall]:
        """These rows, the newest last, and no more than so many."""
        wanted = (as_json(heapq.nlargest(limit, rows)), "")
        return [PastCall(*row) for row in self._connection.execute(f"{_BY_ID} ORDER BY c.id", wanted)]

    def outcomes(self, rows: Collection[int]) -> dict[str, int]:
        """How many of these rows ended in each outcome."""
        sql = "SELECT c.outcome, count(*) FROM json_each(?) AS wanted JOIN calls c ON c.id = wanted.value GROUP BY 1"
        return dict(self._connection.execute(sql, (as_json(sorted(rows)),)).fetchall())
