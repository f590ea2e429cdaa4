"""What memory is made of: the failed calls with what followed them, and the features of every call."""

from array import array
from collections.abc import Iterator

import msgspec

from lessons.store.history.border import Part

_FAILURES = """
SELECT e.tool_use_id, e.weight, e.program, e.signature, c.project, c.tool, c.command, c.arguments, c.cwd, c.time,
       c.exit_code, c.error, coalesce(f.tool, ''), coalesce(f.command, ''), coalesce(f.arguments, '')
FROM episodes e JOIN calls c USING (tool_use_id) LEFT JOIN calls f ON f.tool_use_id = e.fix_tool_use_id
WHERE e.weight >= ? ORDER BY c.time, e.tool_use_id
"""
_FEATURES = """
SELECT c.project, c.outcome = 'failed', k.keys FROM call_features k JOIN calls c ON c.id = k.call_id
WHERE c.outcome = 'failed' OR (c.outcome = 'ok' AND NOT c.suspicious)
"""


class FailedCall(msgspec.Struct, frozen=True, gc=False):
    """A failed call as memory needs it; the fields of the fix are empty where none is known."""

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
    fix_tool: str
    fix_command: str
    fix_arguments: str


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
