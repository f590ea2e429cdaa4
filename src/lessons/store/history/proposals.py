"""The table `proposals`: the trigger that was proposed for each candidate, for as long as it holds."""

import sqlite3
from collections.abc import Iterable, Mapping
from typing import NamedTuple

import msgspec

import lessons
from lessons.model import Scope
from lessons.store.history.database import Part, as_json

# A history that has grown by this share, and by this many calls, may speak for another trigger. A trigger is compared
# with the calls of a few programs: of these fewer new ones are enough.
_GROWTH = 0.1
_FEWEST_NEW_CALLS = 200
_FEWEST_NEW_CALLS_OF_PROGRAM = 10


class StoredProposal(msgspec.Struct, frozen=True, rename="camel", omit_defaults=True):
    """The trigger's keys that say something, or the reason why there is none."""

    triggers: dict[str, object] | None = None
    reason: str | None = None
    scope: Scope | None = None
    acts_at: str | None = None
    programs: dict[str, bool] = {}  # those that were looked for on PATH, and whether they were there
    compared: dict[str, int] = {}  # programs whose good calls were looked at, and how many calls of each there were


class Extent(NamedTuple):
    """How much a history holds: the number of its newest call, and the calls of each program."""

    newest_call: int
    programs: dict[str, int]


class StoredProposals(Part):
    """What was proposed for the candidates of a history."""

    def current(self, fingerprints: Iterable[str]) -> dict[str, StoredProposal]:
        """Of these candidates, those that were made by this version and from much the same history."""
        wanted = as_json(list(fingerprints))
        oldest = (_newest_call(self._connection) - _FEWEST_NEW_CALLS) / (1 + _GROWTH)
        found: dict[str, StoredProposal] = {}
        for fingerprint, document in self._connection.execute(
            "SELECT fingerprint, document FROM json_each(?) AS wanted JOIN proposals p ON p.fingerprint = wanted.value"
            " WHERE p.version = ? AND p.newest_call >= ?",
            (wanted, lessons.__version__, oldest),
        ):
            try:
                found[fingerprint] = msgspec.json.decode(document, type=StoredProposal)
            except msgspec.MsgspecError:
                continue
        now = self.extent().programs if any(each.compared for each in found.values()) else {}
        return {
            fingerprint: each
            for fingerprint, each in found.items()
            if not any(_has_grown(was, now.get(program, 0)) for program, was in each.compared.items())
        }

    def put(self, proposals: Mapping[str, StoredProposal], extent: Extent) -> None:
        """Stores what was proposed, for candidates that are still there, when the history held so much.

        The caller holds the transaction.
        """
        self._connection.executemany(
            "INSERT OR REPLACE INTO proposals SELECT fingerprint, ?, ?, ? FROM candidates WHERE fingerprint = ?",
            [
                (lessons.__version__, extent.newest_call, as_json(proposal), fingerprint)
                for fingerprint, proposal in proposals.items()
            ],
        )

    def extent(self) -> Extent:
        # Whatever their outcome: so an index tells it alone, without the rows.
        rows = self._connection.execute("SELECT program, count(*) FROM calls WHERE program <> '' GROUP BY program")
        return Extent(_newest_call(self._connection), dict(rows.fetchall()))


def _newest_call(connection: sqlite3.Connection) -> int:
    return int(connection.execute("SELECT coalesce(max(id), 0) FROM calls").fetchone()[0])


def _has_grown(before: int, now: int) -> bool:
    return now > before * (1 + _GROWTH) and now >= before + _FEWEST_NEW_CALLS_OF_PROGRAM
