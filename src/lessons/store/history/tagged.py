"""Makes candidates of tier 1 from the tags of sessions."""

import sqlite3
from collections.abc import Iterable

import msgspec

_IN_ORDER = """
SELECT t.id, t.agent_id, t.fingerprint, t.fields FROM tags t JOIN sources s ON s.id = t.source_id
WHERE t.session_id = ? ORDER BY s.path, s.generation, t.position, t.number
"""
_STANDING = """
SELECT t.session_id, t.uuid, t.number, t.message_id, t.project, t.time, s.path, t.fields
FROM tags t JOIN sources s ON s.id = t.source_id WHERE t.fingerprint = ? AND NOT t.cancelled
ORDER BY s.path, s.generation, t.position, t.number
"""
# Records without their own id, or with the id of another one, count once in a session.
_EVIDENCE = (
    "INSERT OR IGNORE INTO evidence (fingerprint, session_id, uuid, number, message_id, project, time, file,"
    " tool_use_id, fix_tool_use_id) VALUES (?, ?, ?, ?, ?, ?, ?, ?, '', '')"
)
# A shorter beginning could match any problem.
_LEAST_NAME = 10


def refresh(connection: sqlite3.Connection, sessions: Iterable[str]) -> tuple[set[str], set[str]]:
    """Rebuilds the candidates of these sessions; returns those that are new and those whose evidence grew."""
    fingerprints: set[str] = set()
    for session_id in sorted(sessions):
        fingerprints |= _cancel(connection, session_id)
    new: set[str] = set()
    grown: set[str] = set()
    for fingerprint in sorted(fingerprints):
        before = _count(connection, fingerprint)
        after = _rebuild(connection, fingerprint)
        if after > before:
            (grown if before else new).add(fingerprint)
    return new, grown


def _cancel(connection: sqlite3.Connection, session_id: str) -> set[str]:
    """Cancels the last tag before each withdrawal in its thread, or the last with the problem that it names.

    Returns all fingerprints of the session.
    """
    standing: dict[str, dict[int, str]] = {}
    cancelled: set[int] = set()
    fingerprints = set()
    rows = connection.execute(_IN_ORDER, (session_id,)).fetchall()
    for number, agent_id, fingerprint, fields in rows:
        before = standing.setdefault(agent_id, {})
        if fingerprint:
            before[number] = fields
            fingerprints.add(fingerprint)
        elif (taken_back := _taken_back(before, fields)) is not None:
            del before[taken_back]
            cancelled.add(taken_back)
    connection.executemany(
        "UPDATE tags SET cancelled = ? WHERE id = ?", [(row[0] in cancelled, row[0]) for row in rows if row[2]]
    )
    return fingerprints


def _taken_back(standing: dict[int, str], withdrawal: str) -> int | None:
    if not withdrawal:
        return next(reversed(standing), None)
    named = _folded(msgspec.json.decode(withdrawal)["cancels"])
    for number in reversed(standing):
        problem = _folded(msgspec.json.decode(standing[number])["problem"])
        if problem == named or (len(named) >= _LEAST_NAME and problem.startswith(named)):
            return number
    return None


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())


def _rebuild(connection: sqlite3.Connection, fingerprint: str) -> int:
    """Writes the candidate from all its tags, worded as the most certain one; returns the number of occurrences."""
    connection.execute("DELETE FROM evidence WHERE fingerprint = ?", (fingerprint,))
    rows = connection.execute(_STANDING, (fingerprint,)).fetchall()
    if not rows:
        connection.execute("DELETE FROM candidates WHERE fingerprint = ? AND status = 'candidate'", (fingerprint,))
        return 0
    best = min((row[-1] for row in rows), key=lambda fields: (-_confidence(fields), fields))
    connection.execute(
        "INSERT INTO candidates (fingerprint, tier, kind, document, confidence, status)"
        " VALUES (?, 1, 'tag', ?, ?, 'candidate')"
        " ON CONFLICT (fingerprint) DO UPDATE SET document = excluded.document, confidence = excluded.confidence",
        (fingerprint, best, _confidence(best)),
    )
    connection.executemany(_EVIDENCE, [(fingerprint, *row[:-1]) for row in rows])
    return _count(connection, fingerprint)


def _count(connection: sqlite3.Connection, fingerprint: str) -> int:
    return int(connection.execute("SELECT count(*) FROM evidence WHERE fingerprint = ?", (fingerprint,)).fetchone()[0])


def _confidence(fields: str) -> float:
    return float(msgspec.json.decode(fields)["confidence"])
