"""The candidates that mining made of a tier in, the tables `candidates` and `evidence` with just these out."""

import sqlite3
from collections.abc import Iterable, Sequence

import msgspec


class Mined(msgspec.Struct, frozen=True):
    """One candidate of tier 2 or 3; its evidence are failed calls with their fixes, or prompts."""

    fingerprint: str
    kind: str
    document: str  # JSON
    confidence: float
    calls: Sequence[tuple[str, str]] = ()  # the failed call, and the one that fixed it or nothing
    prompts: Sequence[tuple[int, str]] = ()  # the key of what a person typed, and the call it answers


_UPSERT = (
    "INSERT INTO candidates (fingerprint, tier, kind, document, confidence, status) VALUES (?, ?, ?, ?, ?, 'candidate')"
    " ON CONFLICT (fingerprint) DO UPDATE SET kind = excluded.kind, document = excluded.document,"
    " confidence = excluded.confidence"
)
_COLUMNS = "(fingerprint, session_id, uuid, number, tool_use_id, fix_tool_use_id, message_id, project, time, file)"
# Lines without a name of their own are told apart by their place.
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


def evidence(connection: sqlite3.Connection, tier: int) -> dict[str, set[str]]:
    """What each candidate of a tier rests on: calls, or for tier 3 what people typed."""
    found: dict[str, set[str]] = {}
    rows = connection.execute(
        "SELECT c.fingerprint, CASE c.tier WHEN 2 THEN e.tool_use_id ELSE e.uuid END"
        " FROM candidates c LEFT JOIN evidence e USING (fingerprint) WHERE c.tier = ?",
        (tier,),
    )
    for fingerprint, name in rows:
        found.setdefault(fingerprint, set()).update([name] if name else [])
    return found


def recurring(connection: sqlite3.Connection) -> set[str]:
    """Candidates of the queue that were seen in more than one session."""
    rows = connection.execute(
        "SELECT fingerprint FROM candidates JOIN evidence USING (fingerprint)"
        " WHERE status = 'candidate' AND kind <> 'protocol' GROUP BY fingerprint HAVING count(DISTINCT session_id) > 1"
    )
    return {row[0] for row in rows}


def put(connection: sqlite3.Connection, tier: int, candidates: Iterable[Mined]) -> None:
    """Write these anew; what a person has decided about them stays."""
    for one in candidates:
        connection.execute(_UPSERT, (one.fingerprint, tier, one.kind, one.document, one.confidence))
        connection.execute("DELETE FROM evidence WHERE fingerprint = ?", (one.fingerprint,))
        connection.executemany(_OF_CALL, [(one.fingerprint, fix, name) for name, fix in one.calls])
        connection.executemany(_OF_PROMPT, [(one.fingerprint, name, key) for key, name in one.prompts])


def drop(connection: sqlite3.Connection, fingerprints: Iterable[str]) -> None:
    """What nothing speaks for any more; what a person has decided about it stands in a file of its own."""
    for fingerprint in fingerprints:
        connection.execute("DELETE FROM candidates WHERE fingerprint = ?", (fingerprint,))  # its evidence with it
