"""The table `proposals`: the trigger that was proposed for each candidate, until it gets more evidence."""

from collections.abc import Iterable, Mapping

import msgspec

import lessons
from lessons.model import Scope
from lessons.store.history.database import Part, as_json

# A history that has grown by this share, and by this many calls, may speak for another trigger.
_GROWTH = 0.1
_FEWEST_NEW_CALLS = 200


class ProposedTrigger(msgspec.Struct, frozen=True, rename="camel", omit_defaults=True):
    """The trigger's keys that say something, or the reason why there is none."""

    triggers: dict[str, object] | None = None
    reason: str | None = None
    scope: Scope | None = None  # where it acts; None: as the candidate says
    acts_at: str | None = None
    fault: str | None = None  # set where the candidate could not be analysed


class StoredProposals(Part):
    """What was proposed for the candidates of a history."""

    def current(self, fingerprints: Iterable[str]) -> dict[str, ProposedTrigger]:
        """Of these candidates, those that were made by this version and from much the same history."""
        oldest = (self.newest_call() - _FEWEST_NEW_CALLS) / (1 + _GROWTH)
        rows = self._connection.execute(
            "SELECT fingerprint, document FROM json_each(?) AS wanted JOIN proposals p ON p.fingerprint = wanted.value"
            " WHERE p.version = ? AND p.newest_call >= ?",
            (as_json(list(fingerprints)), lessons.__version__, oldest),
        )
        return {fingerprint: msgspec.json.decode(document, type=ProposedTrigger) for fingerprint, document in rows}

    def put(self, proposals: Mapping[str, ProposedTrigger], newest_call: int) -> None:
        """Stores what was proposed when this was the newest call, for candidates that are still there.

        The caller holds the transaction.
        """
        self._connection.executemany(
            "INSERT OR REPLACE INTO proposals SELECT fingerprint, ?, ?, ? FROM candidates WHERE fingerprint = ?",
            [
                (lessons.__version__, newest_call, as_json(proposal), fingerprint)
                for fingerprint, proposal in proposals.items()
            ],
        )

    def newest_call(self) -> int:
        return int(self._connection.execute("SELECT coalesce(max(id), 0) FROM calls").fetchone()[0])
