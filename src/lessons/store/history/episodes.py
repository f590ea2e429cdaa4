"""The tables `episodes` and `corrections`: what mining found in the sessions."""

import sqlite3
from collections.abc import Iterable

import msgspec

from lessons.candidate import Occurrence
from lessons.episode import Change, Episode, Kind, Step
from lessons.store.history.border import Part

_EPISODE = (
    "tool_use_id session_id kind program family signature fix_tool_use_id before after calls_lost seconds_lost told"
    " later_worked later_tried"
).split()
_STEP = (
    "tool_use_id tool program subcommand command path arguments outcome error suspicious cwd time ended exit_code"
    " hides_exit"
).split()
_INSERT = f"INSERT OR REPLACE INTO episodes ({', '.join(_EPISODE)}) VALUES ({', '.join('?' * len(_EPISODE))})"


class EpisodeRow(msgspec.Struct, frozen=True, gc=False):
    """One row of `episodes`."""

    tool_use_id: str
    session_id: str
    kind: Kind
    program: str
    family: str
    signature: str
    fix_tool_use_id: str
    before: str
    after: str
    calls_lost: int
    seconds_lost: float
    told: bool
    later_worked: int
    later_tried: int
    project: str = ""  # of the failed call; read from there, not stored


class CorrectionRow(msgspec.Struct, frozen=True, gc=False):
    """One row of `corrections`."""

    key: int
    session_id: str
    rule: str
    sureness: float
    tool_use_id: str


class Episodes(Part):
    """What mining found in the sessions of a history: failed calls with their fixes, and corrections of people."""

    def failed_calls(self, sessions: Iterable[str]) -> set[str]:
        """The failed calls of these sessions that are stored as mistakes."""
        wanted = msgspec.json.encode(sorted(sessions)).decode()
        rows = self._connection.execute(
            "SELECT tool_use_id FROM json_each(?) AS wanted JOIN episodes e ON e.session_id = wanted.value", (wanted,)
        )
        return {row[0] for row in rows}

    def replace(self, sessions: Iterable[str], rows: Iterable[EpisodeRow]) -> None:
        """Exchanges the episodes of these sessions."""
        self._connection.executemany("DELETE FROM episodes WHERE session_id = ?", [(name,) for name in sessions])
        self._connection.executemany(_INSERT, [msgspec.structs.astuple(row)[: len(_EPISODE)] for row in rows])

    def all(self) -> list[EpisodeRow]:
        """In the order in which the mistakes were made."""
        columns = ", ".join([*(f"e.{name}" for name in _EPISODE), "c.project"])
        rows = self._connection.execute(
            f"SELECT {columns} FROM episodes e JOIN calls c USING (tool_use_id) ORDER BY c.time, e.tool_use_id"
        )
        return [EpisodeRow(*row) for row in rows]

    def occurrences(self) -> dict[str, Occurrence]:
        """Where and when each of them happened, by the failed call."""
        rows = self._connection.execute(
            "SELECT c.session_id, c.uuid, c.tool_use_id, e.fix_tool_use_id, c.project, c.time, s.path"
            " FROM episodes e JOIN calls c USING (tool_use_id) JOIN sources s ON s.id = c.source_id"
        )
        return {row[2]: Occurrence(*row) for row in rows}

    def with_calls(self, rows: Iterable[EpisodeRow]) -> list[Episode]:
        """These with the calls they are about; leaves out those whose call was forgotten."""
        rows = list(rows)
        names = {name for row in rows for name in (row.tool_use_id, row.fix_tool_use_id) if name}
        steps = _steps(self._connection, names)
        return [
            Episode(
                steps[row.tool_use_id],
                steps.get(row.fix_tool_use_id),
                msgspec.convert({"kind": row.kind, "before": row.before, "after": row.after}, Change),
                row.calls_lost,
                bool(row.told),
                row.later_worked,
                row.later_tried,
            )
            for row in rows
            if row.tool_use_id in steps
        ]

    def replace_corrections(self, sessions: Iterable[str], rows: Iterable[CorrectionRow]) -> bool:
        """Exchanges the corrections of these sessions; returns whether there were any before."""
        gone = self._connection.executemany(
            "DELETE FROM corrections WHERE session_id = ?", [(name,) for name in sessions]
        )
        self._connection.executemany(
            "INSERT OR REPLACE INTO corrections (key, session_id, rule, sureness, tool_use_id) VALUES (?, ?, ?, ?, ?)",
            [msgspec.structs.astuple(row) for row in rows],
        )
        return gone.rowcount > 0

    def corrections(self) -> list[CorrectionRow]:
        """In the order in which they were typed."""
        rows = self._connection.execute(
            "SELECT c.key, c.session_id, c.rule, c.sureness, c.tool_use_id FROM corrections c"
            " JOIN prompts p USING (key) ORDER BY p.time, c.key"
        )
        return [CorrectionRow(*row) for row in rows]

    def corrected_calls(self) -> set[str]:
        """The calls to which a person has objected."""
        return {row[0] for row in self._connection.execute("SELECT tool_use_id FROM corrections")}

    def corrected_tools(self, rows: Iterable[CorrectionRow]) -> list[str]:
        """The tools of the calls that were corrected."""
        wanted = msgspec.json.encode([row.tool_use_id for row in rows]).decode()
        found = self._connection.execute(
            "SELECT c.tool FROM json_each(?) AS wanted JOIN calls c ON c.tool_use_id = wanted.value"
            " ORDER BY wanted.key",
            (wanted,),
        )
        return [row[0] for row in found]


def _steps(connection: sqlite3.Connection, names: set[str]) -> dict[str, Step]:
    wanted = msgspec.json.encode(sorted(names)).decode()
    columns = ", ".join(f"c.{name}" for name in _STEP)
    rows = connection.execute(
        f"SELECT {columns} FROM json_each(?) AS wanted JOIN calls c ON c.tool_use_id = wanted.value", (wanted,)
    )
    return {row[0]: Step(*row) for row in rows}
