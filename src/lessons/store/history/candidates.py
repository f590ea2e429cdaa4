"""The tables `candidates` and `evidence`: what mining made of the history, what was imported, what was decided."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import msgspec

from lessons.candidate import (
    IMPORT,
    WAITING,
    WRITTEN,
    CandidateKind,
    Occurrence,
    StoredCandidate,
    Tier,
    document_from,
)
from lessons.store.history.border import Part

_CANDIDATES = "SELECT fingerprint, tier, kind, document, confidence FROM candidates WHERE {condition}"
_EVIDENCE = """
SELECT e.fingerprint, e.session_id, e.uuid, e.tool_use_id, e.fix_tool_use_id, e.project, e.time, e.file
FROM evidence e JOIN candidates c USING (fingerprint) WHERE {condition}
ORDER BY e.time, e.session_id, e.uuid, e.number
"""
_UPSERT = (
    "INSERT INTO candidates (fingerprint, tier, kind, document, confidence, status) VALUES (?, ?, ?, ?, ?, 'candidate')"
    " ON CONFLICT (fingerprint) DO UPDATE SET kind = excluded.kind, document = excluded.document,"
    " confidence = excluded.confidence"
)
_COLUMNS = "(fingerprint, session_id, uuid, number, tool_use_id, fix_tool_use_id, message_id, project, time, file)"
# Lines without an id of their own are told apart by their position.
_OF_CALL = (
    f"INSERT OR IGNORE INTO evidence {_COLUMNS}"
    " SELECT ?, c.session_id, c.uuid, c.block + iif(c.uuid = '', 1000 * c.position, 0), c.tool_use_id, ?, c.message_id,"
    " c.project, c.time, s.path FROM calls c JOIN sources s ON s.id = c.source_id WHERE c.tool_use_id = ?"
)
_OF_PROMPT = (
    f"INSERT OR IGNORE INTO evidence {_COLUMNS}"
    " SELECT ?, p.session_id, p.uuid, iif(p.uuid = '', p.position, 0), ?, '', '', p.project, p.time, s.path"
    " FROM prompts p JOIN sources s ON s.id = p.source_id WHERE p.key = ?"
)
_STATUSES = (
    "SELECT fingerprint, status, iif(json_valid(document), json_extract(document, '$.aliases'), NULL) FROM candidates"
)


class CandidateRow(msgspec.Struct, frozen=True):
    """A candidate to store; its evidence are failed calls with their fixes, or prompts."""

    fingerprint: str
    tier: Tier
    kind: CandidateKind
    document: str  # JSON, see CandidateDocument
    confidence: float
    calls: Sequence[tuple[str, str]] = ()  # the failed call, and the one that fixed it or nothing
    prompts: Sequence[tuple[int, str]] = ()  # the key of what a person typed, and the call it answers


class Standing(NamedTuple):
    """The status of a candidate, and every name under which it may have been decided about, its own first."""

    fingerprint: str
    status: str
    names: list[str]


class Candidates(Part):
    """All candidates of a history."""

    def with_status(self, status: str = WAITING) -> list[StoredCandidate]:
        """Those with evidence, and imports, in the order of their fingerprints."""
        return self._stored("status = ?", status)

    def of_tier(self, tier: Tier) -> list[StoredCandidate]:
        """The same of one tier, whatever was decided about them."""
        return self._stored("tier = ?", tier)

    def _stored(self, condition: str, value: object) -> list[StoredCandidate]:
        evidence: dict[str, list[Occurrence]] = {}
        for fingerprint, *fields in self._connection.execute(_EVIDENCE.format(condition=condition), (value,)):
            evidence.setdefault(fingerprint, []).append(Occurrence(*fields))
        rows = self._connection.execute(_CANDIDATES.format(condition=condition), (value,))
        found = [
            StoredCandidate(fingerprint, tier, kind, document_from(document), confidence, evidence.get(fingerprint, []))
            for fingerprint, tier, kind, document, confidence in rows
            if fingerprint in evidence or kind == IMPORT
        ]
        return sorted(found, key=lambda candidate: candidate.fingerprint)

    def evidence(self, tier: Tier) -> dict[str, set[str]]:
        """What each candidate of a tier rests on: ids of calls, or for corrections those of prompts."""
        found: dict[str, set[str]] = {}
        rows = self._connection.execute(
            "SELECT c.fingerprint, CASE c.tier WHEN 2 THEN e.tool_use_id ELSE e.uuid END"
            " FROM candidates c LEFT JOIN evidence e USING (fingerprint) WHERE c.tier = ?",
            (tier,),
        )
        for fingerprint, name in rows:
            found.setdefault(fingerprint, set()).update([name] if name else [])
        return found

    def recurring(self) -> set[str]:
        """Those of the queue that were seen in more than one session."""
        rows = self._connection.execute(
            "SELECT fingerprint FROM candidates JOIN evidence USING (fingerprint) WHERE status = 'candidate'"
            " AND kind <> 'protocol' GROUP BY fingerprint HAVING count(DISTINCT session_id) > 1"
        )
        return {row[0] for row in rows}

    def replace(self, rows: Iterable[CandidateRow]) -> None:
        """Writes these anew with their evidence; what a person has decided about them stays."""
        for row in rows:
            values = (row.fingerprint, row.tier, row.kind, row.document, row.confidence)
            self._connection.execute(_UPSERT, values)
            self._connection.execute("DELETE FROM evidence WHERE fingerprint = ?", (row.fingerprint,))
            self._connection.executemany(_OF_CALL, [(row.fingerprint, fix, name) for name, fix in row.calls])
            self._connection.executemany(_OF_PROMPT, [(row.fingerprint, name, key) for key, name in row.prompts])

    def remove(self, fingerprints: Iterable[str]) -> None:
        """Deletes these with their evidence; what a person has decided about them is in a file of its own."""
        for fingerprint in fingerprints:
            self._connection.execute("DELETE FROM candidates WHERE fingerprint = ?", (fingerprint,))

    def imported(self) -> dict[str, str]:
        """The status of every candidate that was imported."""
        rows = self._connection.execute("SELECT fingerprint, status FROM candidates WHERE kind = ?", (IMPORT,))
        return {row[0]: row[1] for row in rows}

    def add_imported(self, rows: Iterable[CandidateRow]) -> None:
        """Adds those that are new; the caller holds the transaction."""
        self._connection.executemany(
            "INSERT OR IGNORE INTO candidates (fingerprint, tier, kind, document, confidence, status)"
            " VALUES (?, ?, ?, ?, ?, 'candidate')",
            [(row.fingerprint, row.tier, row.kind, row.document, row.confidence) for row in rows],
        )

    def standing(self) -> list[Standing]:
        """Every candidate with its status."""
        rows = self._connection.execute(_STATUSES)
        return [
            Standing(fingerprint, status, [fingerprint, *msgspec.json.decode(aliases or "[]")])
            for fingerprint, status, aliases in rows
        ]

    def decide(self, statuses: Iterable[tuple[str, str]]) -> None:
        """Gives candidates, by their fingerprints, the status that was decided."""
        self._connection.executemany(
            "UPDATE candidates SET status = ? WHERE fingerprint = ?", [(status, name) for name, status in statuses]
        )


def imported_row(fingerprint: str, document: str, confidence: float) -> CandidateRow:
    """An import has no evidence: someone wrote it down, as with a tag."""
    return CandidateRow(fingerprint, WRITTEN, IMPORT, document, confidence)
