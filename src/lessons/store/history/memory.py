"""What memory is made of: the failed calls with what followed them, and the features of every call."""

from array import array
from collections.abc import Iterator

import msgspec

from lessons.store.history import database
from lessons.store.history.database import Part

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


class Memory(Part):
    """Reads what memory is made of."""

    def failures(self, least_weight: float) -> list[FailedCall]:
        """Returns failed calls of at least this weight, oldest first."""
        return [FailedCall(*row) for row in self._connection.execute(_FAILURES, (least_weight,))]

    def features(self) -> "Iterator[tuple[str, bool, array[int]]]":
        """Yields the project of each finished call, whether it failed, and the keys of its features."""
        for project, failed, keys in self._connection.execute(_FEATURES):
            numbers = array("I")
            numbers.frombytes(keys)
            yield project, bool(failed), numbers

    def folders(self) -> list[tuple[str, str]]:
        """Returns every folder in which a call was made, with its project."""
        return self._connection.execute("SELECT DISTINCT cwd, project FROM calls WHERE cwd <> ''").fetchall()

    def is_made(self, index: str) -> bool:
        """Whether this is the index that was made of what the history holds now."""
        return database.get_fact(self._connection, _MADE) == index

    def made(self, index: str) -> None:
        """Records which index was made; an empty text after a change of what memory is made of."""
        database.put_fact(self._connection, _MADE, index)
