"""What mining found in the sessions: failed calls with their fixes, corrections of people, and what agents wrote.

And what memory is made of: the failed calls with what followed them, and the features of every call."""

from array import array
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import groupby

import msgspec

from lessons.candidate import Occurrence
from lessons.episode import Episode, Kind, Step
from lessons.shell.bypass import names_unsafe
from lessons.store.history.database import HistoryPart, as_json, get_fact, put_fact, texts


class EpisodeRow(msgspec.Struct, frozen=True, gc=False):
    tool_use_id: str
    session_id: str
    kind: Kind
    program: str
    signature: str
    fix_tool_use_id: str  # the call that worked, if anybody may be told of it
    weight: float
    calls_lost: int
    seconds_lost: float
    worked_tool_use_id: str = ""  # the call that worked: whatever it shares with the failure is not to blame
    project: str = ""  # of the failed call; read from there, not stored


class CallUsage(msgspec.Struct, frozen=True, gc=False):
    """A call with what its message used: input, output, tokens read from the cache and written to it."""

    tool_use_id: str
    session_id: str
    project: str
    agent: str
    model: str
    message_id: str
    time: str
    ended: str
    tokens: tuple[int, int, int, int] | None  # None: the agent does not record them


class CorrectionRow(msgspec.Struct, frozen=True, gc=False):
    key: int
    session_id: str
    rule: str
    sureness: float
    tool_use_id: str


_EPISODE = EpisodeRow.__struct_fields__[:-1]
_COLUMNS = ", ".join(f"e.{name}" for name in _EPISODE)
_INSERT = f"INSERT OR REPLACE INTO episodes ({', '.join(_EPISODE)}) VALUES ({', '.join('?' * len(_EPISODE))})"


# From a minute before the failed call, so that all calls of its message are in, until a minute after the end.
_AROUND = """
SELECT f.tool_use_id, coalesce(w.tool_use_id, ''),
       c.tool_use_id, c.session_id, c.project, c.agent, c.model, c.message_id, c.time, c.ended,
       m.input_tokens, m.output_tokens, m.cache_read_tokens, m.cache_write_tokens
FROM json_each(?) AS wanted JOIN calls f ON f.tool_use_id = wanted.value
LEFT JOIN episodes e ON e.tool_use_id = f.tool_use_id
LEFT JOIN calls w ON w.tool_use_id = e.worked_tool_use_id AND w.session_id = f.session_id AND w.agent_id = f.agent_id
JOIN calls c ON c.session_id = f.session_id AND c.agent_id = f.agent_id AND c.sidechain = f.sidechain
    AND c.time >= strftime('%Y-%m-%dT%H:%M:%fZ', f.time, '-60 seconds')
    AND c.time <= strftime('%Y-%m-%dT%H:%M:%fZ', max(f.time, f.ended, coalesce(w.time, '')), '+60 seconds')
LEFT JOIN messages m ON m.message_id = c.message_id AND c.message_id <> ''
ORDER BY f.time, f.tool_use_id, c.time, c.position, c.block
"""


class Episodes(HistoryPart):
    def of_calls(self, tool_use_ids: Iterable[str]) -> dict[str, EpisodeRow]:
        wanted = as_json(list(tool_use_ids))
        rows = self._connection.execute(
            f"SELECT {_COLUMNS} FROM json_each(?) AS wanted JOIN episodes e ON e.tool_use_id = wanted.value", (wanted,)
        )
        return {row[0]: EpisodeRow(*row) for row in rows}

    def of_sessions(self, sessions: Iterable[str]) -> dict[str, str]:
        """Returns the failed calls of these sessions that are stored as mistakes, each with the program it blames."""
        wanted = as_json(sorted(sessions))
        rows = self._connection.execute(
            "SELECT tool_use_id, program FROM json_each(?) AS wanted JOIN episodes e ON e.session_id = wanted.value",
            (wanted,),
        )
        return dict(rows.fetchall())

    def clear(self, sessions: Iterable[str]) -> None:
        self._connection.executemany("DELETE FROM episodes WHERE session_id = ?", [(name,) for name in sessions])

    def add(self, rows: Iterable[EpisodeRow]) -> None:
        self._connection.executemany(_INSERT, [msgspec.structs.astuple(row)[: len(_EPISODE)] for row in rows])

    def all(self, programs: Collection[str] | None = None) -> list[EpisodeRow]:
        """Returns all in the order of the mistakes; only of these programs if given."""
        chosen = "" if programs is None else "json_each(?) AS wanted JOIN"
        condition = "1" if programs is None else "e.program = wanted.value"
        values = () if programs is None else (as_json(sorted(programs)),)
        rows = self._connection.execute(
            f"SELECT {_COLUMNS}, c.project FROM {chosen} episodes e CROSS JOIN calls c USING (tool_use_id)"
            f" WHERE {condition} ORDER BY c.time, e.tool_use_id",
            values,
        )
        return [EpisodeRow(*row) for row in rows]

    def until_they_worked(self, tool_use_ids: Iterable[str]) -> "Iterator[tuple[str, str, list[CallUsage]]]":
        """Yields each of these failed calls, the one that worked (or nothing), and the calls around both, in order."""
        rows = self._connection.execute(_AROUND, (as_json(sorted(tool_use_ids)),))
        for (failed, worked), calls in groupby(rows, key=lambda row: row[:2]):
            yield failed, worked, [CallUsage(*(*row[2:10], None if row[10] is None else row[10:])) for row in calls]

    def about_calls(self, tool_use_ids: Iterable[str]) -> dict[str, str]:
        """Returns failed calls that are one of these or were fixed by one, with the program they blame."""
        wanted = as_json(sorted(tool_use_ids))
        rows = self._connection.execute(
            "SELECT tool_use_id, program FROM episodes WHERE tool_use_id IN (SELECT value FROM json_each(?1))"
            " OR fix_tool_use_id IN (SELECT value FROM json_each(?1))",
            (wanted,),
        )
        return dict(rows.fetchall())

    def occurrences(self) -> dict[str, Occurrence]:
        """Returns where and when each of them happened, by the failed call."""
        rows = self._connection.execute(
            "SELECT c.session_id, c.uuid, c.tool_use_id, e.fix_tool_use_id, c.project, c.time, s.path, c.agent"
            " FROM episodes e JOIN calls c USING (tool_use_id) JOIN sources s ON s.id = c.source_id"
        )
        return {row[2]: Occurrence(*row) for row in rows}

    def with_calls(self, rows: Iterable[EpisodeRow]) -> list[Episode]:
        """Returns these with their calls; leaves out those whose call was forgotten."""
        rows = list(rows)
        names = {name for row in rows for name in (row.tool_use_id, row.fix_tool_use_id) if name}
        found = self._connection.execute(
            f"SELECT {', '.join(f'c.{name}' for name in Step.__struct_fields__)} FROM json_each(?) AS wanted"
            " JOIN calls c ON c.tool_use_id = wanted.value",
            (as_json(sorted(names)),),
        )
        steps = {row[0]: Step(*row) for row in found}
        return [
            Episode(steps[row.tool_use_id], steps.get(row.fix_tool_use_id)) for row in rows if row.tool_use_id in steps
        ]

    def put_features(self, keys: Mapping[str, bytes | None]) -> None:
        """Stores the features of calls, by their ids; None deletes them."""
        gone = as_json([name for name, found in keys.items() if found is None])
        self._connection.execute(
            "DELETE FROM call_features WHERE call_id IN"
            " (SELECT c.id FROM json_each(?) AS wanted JOIN calls c ON c.tool_use_id = wanted.value)",
            (gone,),
        )
        self._connection.executemany(
            "INSERT OR REPLACE INTO call_features (call_id, keys) SELECT id, ? FROM calls WHERE tool_use_id = ?",
            [(found, name) for name, found in keys.items() if found is not None],
        )

    def earlier_names(self, tool_use_ids: Iterable[str]) -> set[str]:
        """Returns the names that candidates of an earlier version had which rested on one of these failed calls."""
        sql = "SELECT n.fingerprint FROM json_each(?) AS wanted JOIN earlier_names n ON n.tool_use_id = wanted.value"
        return texts(self._connection, sql, (as_json(list(tool_use_ids)),))

    def clear_corrections(self, sessions: Iterable[str]) -> set[str]:
        """Deletes the corrections of these sessions; returns the calls that they were about."""
        sql = "DELETE FROM corrections WHERE session_id = ? RETURNING tool_use_id"
        return {row[0] for name in sessions for row in self._connection.execute(sql, (name,)).fetchall()}

    def add_corrections(self, rows: Iterable[CorrectionRow]) -> None:
        self._connection.executemany(
            "INSERT OR REPLACE INTO corrections (key, session_id, rule, sureness, tool_use_id) VALUES (?, ?, ?, ?, ?)",
            [msgspec.structs.astuple(row) for row in rows],
        )

    def corrections(self) -> list[CorrectionRow]:
        rows = self._connection.execute(
            "SELECT c.key, c.session_id, c.rule, c.sureness, c.tool_use_id FROM corrections c"
            " JOIN prompts p USING (key) ORDER BY p.time, c.key"
        )
        return [CorrectionRow(*row) for row in rows]

    def corrected_calls(self) -> set[str]:
        return texts(self._connection, "SELECT tool_use_id FROM corrections")

    def corrected_tools(self, rows: Iterable[CorrectionRow]) -> list[str]:
        wanted = as_json([row.tool_use_id for row in rows])
        found = self._connection.execute(
            "SELECT c.tool FROM json_each(?) AS wanted JOIN calls c ON c.tool_use_id = wanted.value"
            " ORDER BY wanted.key",
            (wanted,),
        )
        return [row[0] for row in found]


# If a session was forked after the failure, the text of the call's own session comes first. Before a call that nobody
# may be told of, the agent wrote about that call.
_OF_CALLS = """
SELECT d.tool_use_id, d.agent, d.session_id, d.time, d.text
FROM json_each(?) AS wanted JOIN diagnoses d ON d.tool_use_id = wanted.value JOIN calls c USING (tool_use_id)
JOIN sources s ON s.id = d.source_id LEFT JOIN episodes e USING (tool_use_id)
WHERE coalesce(e.fix_tool_use_id = e.worked_tool_use_id, 1)
ORDER BY d.session_id <> c.session_id, d.session_id, d.time, s.path, s.generation, d.position, d.number
"""


class Diagnosis(msgspec.Struct, frozen=True, rename="camel"):
    """The first sentences that an agent wrote after a failed call, redacted, and who wrote them."""

    text: str
    agent: str
    session_id: str
    time: str
    tool_use_id: str  # of the failed call


class Diagnoses(HistoryPart):
    def of(self, tool_use_ids: Iterable[str]) -> dict[str, Diagnosis]:
        """Returns them by the failed call; leaves out those that speak of skipping a check, forcing or deleting."""
        wanted = as_json(sorted(set(tool_use_ids)))
        found: dict[str, Diagnosis] = {}
        for name, agent, session_id, time, text in self._connection.execute(_OF_CALLS, (wanted,)):
            found.setdefault(name, Diagnosis(text, agent, session_id, time, name))
        return {name: each for name, each in found.items() if not names_unsafe(each.text)}


_MADE = "memory-index"

_FAILURES = """
SELECT e.tool_use_id, e.weight, e.program, e.signature, c.project, c.tool, c.command, c.arguments, c.cwd, c.time,
       c.exit_code, c.error, coalesce(w.tool, ''), coalesce(w.command, ''), coalesce(w.arguments, ''),
       e.fix_tool_use_id <> ''
FROM episodes e JOIN calls c USING (tool_use_id) LEFT JOIN calls w ON w.tool_use_id = e.worked_tool_use_id
WHERE e.weight >= ? ORDER BY c.time, e.tool_use_id
"""
_FEATURES = """
SELECT c.project, c.outcome = 'failed', k.keys FROM call_features k JOIN calls c ON c.id = k.call_id
WHERE c.outcome = 'failed' OR (c.outcome = 'ok' AND NOT c.suspicious)
"""


class FailedCall(msgspec.Struct, frozen=True, gc=False):
    """A failed call as memory needs it, with the call that worked afterwards, if any did."""

    tool_use_id: str
    weight: float
    program: str  # that the error blames
    signature: str  # of the error
    project: str
    tool: str
    command: str
    arguments: str
    cwd: str
    time: str
    exit_code: int | None
    error: str
    worked_tool: str
    worked_command: str
    worked_arguments: str
    is_told: int  # whether anybody may be told of the call that worked


class MemorySources(HistoryPart):
    def failures(self, least_weight: float) -> list[FailedCall]:
        return [FailedCall(*row) for row in self._connection.execute(_FAILURES, (least_weight,))]

    def features(self) -> "Iterator[tuple[str, bool, array[int]]]":
        """Yields the project of each finished call, whether it failed, and the keys of its features."""
        for project, failed, keys in self._connection.execute(_FEATURES):
            numbers = array("I")
            numbers.frombytes(keys)
            yield project, bool(failed), numbers

    def folders(self) -> list[tuple[str, str]]:
        return self._connection.execute("SELECT DISTINCT cwd, project FROM calls WHERE cwd <> ''").fetchall()

    def is_made(self, index: str) -> bool:
        """Whether this is the index that was made of what the history holds now."""
        return get_fact(self._connection, _MADE) == index

    def made(self, index: str) -> None:
        """Records which index was made; an empty text after a change of what memory is made of."""
        put_fact(self._connection, _MADE, index)
