"""Removes the arguments of old successful calls from the history; outcomes, failures and evidence of lessons stay."""

import os
import sqlite3
from collections.abc import Iterator

import msgspec

from lessons.store.history import database
from lessons.store.history.database import HistoryPart, as_json
from lessons.store.history.past_calls import LOST_BEFORE

_LAST_COMPACTION = "lastCompactionAt"
_SPACE_RETURNED = "spaceReturned"  # set once the file was rewritten after the last compaction
# Calls that worked after a mistake, calls that a person answered, and every call that the ledger judges stay; and all
# of sessions of which it is not known yet which calls matter.
_OLD = """
SELECT id, tool, command, arguments FROM calls
WHERE id > ? AND outcome = 'ok' AND NOT suspicious AND time <> '' AND time < ?
AND tool_use_id NOT IN (
    SELECT worked_tool_use_id FROM episodes UNION SELECT fix_tool_use_id FROM evidence
    UNION SELECT tool_use_id FROM evidence UNION SELECT tool_use_id FROM corrections
    UNION SELECT tool_use_id FROM opportunities UNION SELECT tool_use_id FROM injections
)
AND session_id NOT IN (SELECT session_id FROM unmined UNION SELECT session_id FROM unjudged)
ORDER BY id LIMIT 5000
"""
_PATH_ENDINGS = ("path", "paths")
_PATCH_TOOL, _PATCH_MARK = "apply_patch", "*** "  # lines of a patch that name its files start with this
_WORTHWHILE_SHARE = 0.05  # of the file


class Old(msgspec.Struct, frozen=True):
    """Calls that can be shortened, and the characters that they would lose."""

    calls: int
    characters: int


class Compaction(HistoryPart):
    def survey(self, before: str) -> Old:
        lost = [characters for some in self._shorter(before) for _, characters, _ in some]
        return Old(len(lost), sum(lost))

    def _shorter(self, before: str) -> Iterator[list[tuple[str, int, int]]]:
        """Yields the new arguments of some calls at a time, what they lose, and the numbers of the calls."""
        last = 0
        # A query at a time: its rows must not change while it runs.
        while rows := self._connection.execute(_OLD, (last, before)).fetchall():
            last = rows[-1][0]
            found = [(_shortened(*asked), len(asked[-1]), number) for number, *asked in rows]
            yield [(after, size - len(after), number) for after, size, number in found if len(after) < size]

    def shorten(self, before: str) -> int:
        """Removes the arguments except commands and paths; the caller holds the transaction."""
        number = 0
        for some in self._shorter(before):
            number += len(some)
            rows = [(after, row) for after, _, row in some]
            self._connection.executemany("UPDATE calls SET arguments = ? WHERE id = ?", rows)
        if number:
            database.put_fact(self._connection, LOST_BEFORE, max(before, self.lost_before()))
            database.put_fact(self._connection, _SPACE_RETURNED, "")
        return number

    def lost_before(self) -> str:
        """Returns the moment before which arguments of successful calls may be missing; empty if none are."""
        return database.get_fact(self._connection, LOST_BEFORE)

    def give_back(self) -> bool:
        """Rewrites the file without its unused space; returns False and changes nothing if the disk has no room."""
        quoted = os.path.dirname(self._path).replace("'", "''")
        # The usual temporary folder may be in memory, or on a smaller disk.
        self._connection.execute(f"PRAGMA temp_store_directory = '{quoted}'")
        try:
            self._connection.execute("VACUUM")
        except sqlite3.OperationalError as fault:
            if fault.sqlite_errorcode & 0xFF == sqlite3.SQLITE_FULL:
                return False
            raise
        finally:
            self._connection.execute("PRAGMA temp_store_directory = ''")
        database.put_fact(self._connection, _SPACE_RETURNED, "yes")
        self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return True

    def has_free_space(self) -> bool:
        """Whether rewriting the file makes it smaller, also after an earlier compaction that did not rewrite it."""
        if self.lost_before() and not database.get_fact(self._connection, _SPACE_RETURNED):
            return True  # shorter rows leave their space inside pages, where no count of free pages sees it
        return self._pragma("freelist_count") > _WORTHWHILE_SHARE * self._pragma("page_count")

    def last(self) -> str:
        return database.get_fact(self._connection, _LAST_COMPACTION)

    def done(self, moment: str) -> None:
        database.put_fact(self._connection, _LAST_COMPACTION, moment)

    def size(self) -> int:
        """Returns the bytes of the database, without the write-ahead log: that is emptied into it later."""
        return self._pragma("page_count") * self._pragma("page_size")

    def _pragma(self, name: str) -> int:
        return int(self._connection.execute(f"PRAGMA {name}").fetchone()[0])


def _shortened(tool: str, command: str, arguments: str) -> str:
    """Returns what triggers on commands and paths see of a call, as JSON."""
    if command:
        return as_json({"command": command})
    try:
        given = msgspec.json.decode(arguments, type=dict[str, object])
    except msgspec.MsgspecError:
        return "{}"
    if tool != _PATCH_TOOL:
        return as_json({key: value for key, value in given.items() if key.lower().endswith(_PATH_ENDINGS)})
    patches = {key: value.split("\n") for key, value in given.items() if isinstance(value, str)}
    return as_json(
        {key: "\n".join(line for line in lines if line.startswith(_PATCH_MARK)) for key, lines in patches.items()}
    )
