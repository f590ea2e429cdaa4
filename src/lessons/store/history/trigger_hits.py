"""The tables `trigger_hits` and `changed_calls`: which calls a trigger fires on, as far as they were checked."""

from typing import NamedTuple

import msgspec

from lessons.store.history.border import Part
from lessons.store.history.row_numbers import RowNumbers, Run

_MOST_TRIGGERS = 2_000
_MOST_CHANGES = 20_000
# Changes up to this one may be deleted already: hits that include fewer cannot be updated.
_FLOOR = """
SELECT coalesce((SELECT min(number) - 1 FROM changed_calls),
                (SELECT seq FROM sqlite_sequence WHERE name = 'changed_calls'), 0)
"""
_CURRENT = f"WHERE trigger = ? AND newest_change >= ({_FLOOR})"


class Looked(NamedTuple):
    """How far a history was checked: the numbers of its newest call and of its newest change of one."""

    newest_call: int
    newest_change: int


class Hits(NamedTuple):
    """The numbers of the calls that a trigger fires on, out of those that were checked."""

    rows: RowNumbers
    looked: Looked


class TriggerHits(Part):
    """The stored hits of triggers in a history."""

    def extent(self) -> Looked:
        """Returns how much there is to check."""
        newest = self._connection.execute("SELECT coalesce(max(id), 0) FROM calls").fetchone()[0]
        change = self._connection.execute(
            "SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'changed_calls'), 0)"
        ).fetchone()[0]
        return Looked(newest, change)

    def stored(self, trigger: str) -> Hits | None:
        """Returns None if nothing is stored that can be updated."""
        row = self._connection.execute(
            f"SELECT hits, newest_call, newest_change FROM trigger_hits {_CURRENT}", (trigger,)
        ).fetchone()
        try:
            runs = msgspec.json.decode(row[0], type=list[Run]) if row else None
        except msgspec.MsgspecError:
            return None
        return None if runs is None else Hits(RowNumbers.of_runs(runs), Looked(*row[1:]))

    def changed_since(self, looked: Looked) -> list[int]:
        """Returns the numbers of calls that have changed since they were checked."""
        rows = self._connection.execute(
            "SELECT DISTINCT call FROM changed_calls WHERE number > ? AND call <= ?",
            (looked.newest_change, looked.newest_call),
        )
        return [number for (number,) in rows]

    def put(self, trigger: str, hits: Hits) -> None:
        """Stores the hits unless changes that they miss are deleted; the caller holds the transaction."""
        runs = msgspec.json.encode(hits.rows.runs()).decode()
        self._connection.execute(
            f"INSERT OR REPLACE INTO trigger_hits SELECT ?, ?, ?, ? WHERE ? >= ({_FLOOR})",
            (trigger, *hits.looked, runs, hits.looked.newest_change),
        )

    def prune(self) -> None:
        """Deletes the oldest changes, and triggers that were not updated for long.

        The caller holds the transaction.
        """
        self._connection.execute(
            "DELETE FROM changed_calls WHERE number <= (SELECT max(number) FROM changed_calls) - ?", (_MOST_CHANGES,)
        )
        self._connection.execute(
            "DELETE FROM trigger_hits WHERE trigger NOT IN"
            " (SELECT trigger FROM trigger_hits ORDER BY newest_call DESC, trigger LIMIT ?)",
            (_MOST_TRIGGERS,),
        )
