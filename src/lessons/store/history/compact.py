"""Takes the arguments of old good calls out of the history; outcomes, failures and what lessons rest on stay."""

import os

import msgspec

from lessons.store.history import facts, search
from lessons.store.history.border import Part

_LAST_COMPACTION = "lastCompactionAt"
# What back-tests of commands and paths need.
_SHORTENED = (
    "CASE WHEN command <> '' THEN json_object('command', command) WHEN path <> '' THEN json_object('file_path', path)"
    " ELSE '{}' END"
)
_OLD = f"""
outcome = 'ok' AND NOT suspicious AND time <> '' AND time < ? AND length(arguments) > length({_SHORTENED})
AND tool_use_id NOT IN (
    SELECT fix_tool_use_id FROM episodes UNION SELECT fix_tool_use_id FROM evidence
    UNION SELECT tool_use_id FROM evidence UNION SELECT tool_use_id FROM opportunities
)
"""


class Old(msgspec.Struct, frozen=True):
    """Calls that can be shortened, and the characters that they would lose."""

    calls: int
    characters: int


class Compaction(Part):
    """Makes a long history shorter."""

    def survey(self, before: str) -> Old:
        """What compacting the calls before this moment would do."""
        shorter = f"sum(length(arguments) - length({_SHORTENED}))"
        sql = f"SELECT count(*), coalesce({shorter}, 0) FROM calls WHERE {_OLD}"
        return Old(*self._connection.execute(sql, (before,)).fetchone())

    def shorten(self, before: str) -> int:
        """Takes the arguments out, but for command and path; the caller holds the transaction."""
        number = self._connection.execute(f"UPDATE calls SET arguments = {_SHORTENED} WHERE {_OLD}", (before,)).rowcount
        if number:
            search.rebuild(self._connection)
        return number

    def give_back(self) -> None:
        """Returns the free space to the file system; needs as much again while it runs."""
        self._connection.execute("VACUUM")
        self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def last(self) -> str:
        """When the history was last compacted; empty where it never was."""
        return facts.get(self._connection, _LAST_COMPACTION)

    def done(self, moment: str) -> None:
        facts.put(self._connection, _LAST_COMPACTION, moment)

    def size(self) -> int:
        """Bytes of the file and of what waits beside it."""
        return sum(os.path.getsize(path) for path in (self._path, self._path + "-wal") if os.path.exists(path))
