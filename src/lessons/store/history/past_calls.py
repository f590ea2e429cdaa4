"""The table `calls` for reading: single calls, the successes of a family, and all that a trigger may fire on."""

import heapq
import sqlite3
from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Any, Literal

import msgspec

from lessons.store.history.database import HistoryPart, as_json, plain_rows

# The text of a call that is looked at before the call is read as a whole.
Preview = Literal["command", "path", "place", "arguments", "error", "tool"]
_PREVIEWS: dict[Preview, tuple[str, str]] = {  # the text, and which calls have it
    "command": ("command", "command <> ''"),
    "path": ("path || char(10) || cwd || char(10) || arguments", "path <> '' OR tool = 'apply_patch'"),
    "place": ("tool || char(10) || path || char(10) || cwd", "path <> '' OR tool = 'apply_patch'"),
    "arguments": ("arguments", "1"),
    "error": ("error", "outcome = 'failed' AND error <> ''"),
    "tool": ("tool", "1"),
}


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


_COLUMNS = ", ".join(StoredCall.__struct_fields__)
_ALL_COLUMNS = ", ".join(f"c.{name}" for name in PastCall.__struct_fields__)
# Of a family that is used all day, the newest tell enough.
MOST_SUCCESSES = 20_000
MOST_FAILURES = 5_000
_ROWS_AT_ONCE = 1_000
_LINES_AT_ONCE = 500  # as values of one query, of which older SQLite takes 999
_OFTEN_THE_SAME = 5  # from cwd on
_BY_ID = f"SELECT {_ALL_COLUMNS} FROM json_each(?) AS wanted JOIN calls c ON c.id = wanted.value WHERE c.time >= ?"
_GOOD = "outcome = 'ok' AND NOT suspicious"  # what reads like a failure behind a pipe proves nothing
# The name of a fact: the moment before which good calls may have lost their arguments. Those compare with nothing.
LOST_BEFORE = "argumentsLostBefore"
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

Keep = Callable[[Any], object]  # of a preview; whatever it returns is taken for yes or no


class PastCalls(HistoryPart):
    """Every call of a history, or those of some sessions alone."""

    def __init__(self, connection: sqlite3.Connection, path: str, visible: str = "1") -> None:
        super().__init__(connection, path)
        self._visible = visible  # the condition in SQL that a call must meet to be seen

    def count(self) -> int:
        where = "" if self._visible == "1" else f" WHERE {self._visible}"  # any condition makes SQLite look at each row
        return int(self._connection.execute(f"SELECT count(*) FROM calls{where}").fetchone()[0])

    def tally(self) -> list[tuple[str, str, int]]:
        sql = f"SELECT agent, outcome, count(*) FROM calls WHERE {self._visible} GROUP BY agent, outcome ORDER BY 1, 2"
        return [(agent, outcome, number) for agent, outcome, number in self._connection.execute(sql)]

    def of_session(self, session_id: str) -> list[SessionCall]:
        with plain_rows(self._connection) as rows:
            return [SessionCall(*row) for row in rows.execute(_OF_SESSION, (session_id,))]

    def count_failed(self) -> int:
        sql = f"SELECT count(*) FROM calls WHERE outcome = 'failed' AND {self._visible}"
        return int(self._connection.execute(sql).fetchone()[0])

    def named(self, tool_use_ids: Iterable[str]) -> list[StoredCall]:
        """The calls with these ids, in the order of the ids; leaves out what was forgotten."""
        return [StoredCall(*row) for row in self._named(_COLUMNS, tool_use_ids)]

    def past(self, tool_use_ids: Iterable[str]) -> list[PastCall]:
        return [PastCall(*row) for row in self._named(_ALL_COLUMNS, tool_use_ids)]

    def count_named(self, tool_use_ids: Iterable[str], since: str = "") -> int:
        return sum(time >= since for (time,) in self._named("time", tool_use_ids))

    def error_fingerprints(self, tool_use_ids: Iterable[str]) -> set[str]:
        return {found for (found,) in self._named("error_fingerprint", tool_use_ids)} - {""}

    def projects_of(self, tool_use_ids: Iterable[str]) -> dict[str, str]:
        return dict(self._named("tool_use_id, project", tool_use_ids))

    def tokens_of(self, tool_use_ids: Collection[str]) -> int:
        """The tokens of the messages that made these calls, without cached ones."""
        of_calls = (
            "SELECT message_id FROM calls WHERE message_id <> '' AND tool_use_id IN (SELECT value FROM json_each(?))"
        )
        sql = f"SELECT coalesce(sum(input_tokens + output_tokens), 0) FROM messages WHERE message_id IN ({of_calls})"
        return int(self._connection.execute(sql, (as_json(list(tool_use_ids)),)).fetchone()[0]) if tool_use_ids else 0

    def _named(self, columns: str, tool_use_ids: Iterable[str]) -> list[tuple[Any, ...]]:
        wanted = as_json(list(dict.fromkeys(tool_use_ids)))
        sql = (
            f"SELECT {columns} FROM json_each(?) AS wanted CROSS JOIN calls c ON c.tool_use_id = wanted.value"
            f" WHERE {self._visible} ORDER BY wanted.key"
        )
        with plain_rows(self._connection) as rows:
            return rows.execute(sql, (wanted,)).fetchall()

    def worked_with(self, text: str) -> bool:
        where = f"{_GOOD} AND (instr(command, ?) OR instr(arguments, ?)) AND {self._visible}"
        sql = f"SELECT 1 FROM calls WHERE {where} LIMIT 1"
        return self._connection.execute(sql, (text, text)).fetchone() is not None

    def successes_of_program(self, program: str, subcommand: str, limit: int = MOST_SUCCESSES) -> list[StoredCall]:
        """Shell calls of this program and sub-command that succeeded, the newest first."""
        where = f"INDEXED BY calls_by_program WHERE program <> '' AND program = ? AND subcommand = ? AND {_GOOD}"
        return self._newest(where, program, subcommand, limit)

    def successes_with_any_subcommand(self, program: str, limit: int = MOST_SUCCESSES) -> list[StoredCall]:
        where = f"INDEXED BY calls_by_program WHERE program <> '' AND program = ? AND {_GOOD}"
        return self._newest(where, program, limit)

    def successes_of_tool(self, tool: str, limit: int = MOST_SUCCESSES) -> list[StoredCall]:
        """Calls of a tool other than a shell that succeeded, the newest first."""
        lost_before = f"coalesce((SELECT value FROM facts WHERE name = '{LOST_BEFORE}'), '')"
        return self._newest(f"WHERE tool = ? AND time >= {lost_before} AND {_GOOD}", tool, limit)

    def newest_failures(self, limit: int = MOST_FAILURES) -> list[StoredCall]:
        return self._newest("WHERE outcome = 'failed' AND error <> ''", limit)

    def _newest(self, where: str, *values: object) -> list[StoredCall]:
        # By time and name: the numbers of rows depend on the order in which files were read.
        sql = f"SELECT {_COLUMNS} FROM calls {where} AND {self._visible} ORDER BY time DESC, tool_use_id LIMIT ?"
        same: dict[str, str] = {}
        with plain_rows(self._connection) as rows:
            rows.execute(sql, values)
            # Folders, models and programs are few: tens of thousands of calls need not hold a copy each.
            return [
                StoredCall(*row[:_OFTEN_THE_SAME], *(same.setdefault(text, text) for text in row[_OFTEN_THE_SAME:]))
                for row in rows
            ]

    def matching(self, preview: Preview, keep: Keep, since: str = "", folder: str = "") -> Iterator[PastCall]:
        """Those with such a text that is kept, each text of a shell call looked at once; `folder`: in and below it."""
        text, condition = _PREVIEWS[preview]
        below = folder.rstrip("/") + "/"
        visible = f"{self._visible} AND substr(cwd || '/', 1, ?) = ?" if folder else self._visible
        place = (len(below), below) if folder else ()
        with plain_rows(self._connection) as found, plain_rows(self._connection) as rows:
            if preview == "command":
                in_folder = f" AND {visible}" if folder else ""
                found.execute(f"SELECT DISTINCT command FROM calls WHERE {condition}{in_folder}", place)
                while some := found.fetchmany(_LINES_AT_ONCE):
                    if lines := [line for (line,) in some if keep(line)]:
                        sql = _OF_LINES.format(lines=", ".join("?" * len(lines)), visible=visible)
                        yield from (PastCall(*row) for row in rows.execute(sql, [*lines, since, *place]))
                return
            found.execute(
                f"SELECT id, {text} FROM calls WHERE ({condition}) AND time >= ? AND {visible}", (since, *place)
            )
            while some := found.fetchmany(_ROWS_AT_ONCE):
                kept = as_json([number for number, shown in some if keep(shown)])
                yield from (PastCall(*row) for row in rows.execute(_BY_ID, (kept, "")).fetchall())

    def failed(self) -> Iterator[PastCall]:
        with plain_rows(self._connection) as rows:
            rows.execute(f"SELECT {_ALL_COLUMNS} FROM calls c WHERE outcome = 'failed' AND {self._visible}")
            while some := rows.fetchmany(_ROWS_AT_ONCE):
                yield from (PastCall(*row) for row in some)

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
        sql = "SELECT c.outcome, count(*) FROM json_each(?) AS wanted JOIN calls c ON c.id = wanted.value GROUP BY 1"
        return dict(self._connection.execute(sql, (as_json(sorted(rows)),)).fetchall())
