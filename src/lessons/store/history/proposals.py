"""The table `proposals`: the trigger that was proposed for each candidate, for as long as it holds."""

from collections.abc import Iterable, Mapping

import msgspec

import lessons
from lessons.model import Scope
from lessons.store.history.border import Part

# A history that has grown by this share, and by this many calls, may speak for another trigger.
_GROWTH = 0.1
_FEWEST_NEW_CALLS = 200


class StoredProposal(msgspec.Struct, frozen=True, rename="camel", omit_defaults=True):
    """The trigger's keys that say something, or the reason why there is none."""

    triggers: dict[str, object] | None = None
    reason: str | None = None
    scope: Scope | None = None
    acts_at: str | None = None
    programs: dict[str, bool] = {}  # those that were looked for on PATH, and whether they were there


class StoredProposals(Part):
    """What was proposed for the candidates of a history."""

    def current(self, fingerprints: Iterable[str]) -> dict[str, StoredProposal]:
        """Of these candidates, those that were made by this version and from much the same history."""
        wanted = msgspec.json.encode(list(fingerprints)).decode()
        oldest = (self._newest_call() - _FEWEST_NEW_CALLS) / (1 + _GROWTH)
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
        return found

    def put(self, proposals: Mapping[str, StoredProposal]) -> None:
        """Stores what was proposed for candidates that are still there; the caller holds the transaction."""
        newest = self._newest_call()
        self._connection.executemany(
            "INSERT OR REPLACE INTO proposals SELECT fingerprint, ?, ?, ? FROM candidates WHERE fingerprint = ?",
            [
                (lessons.__version__, newest, msgspec.json.encode(proposal).decode(), fingerprint)
                for fingerprint, proposal in proposals.items()
            ],
        )

    def _newest_call(self) -> int:
        return int(self._connection.execute("SELECT coalesce(max(id), 0) FROM calls").fetchone()[0])
