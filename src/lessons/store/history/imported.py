"""Lessons that a person brought from elsewhere in, candidates without evidence that wait for a review out."""

import sqlite3
from collections.abc import Iterable

import msgspec

KIND = "import"
_TIER = 1  # someone wrote it down, as with a tag


class Imported(msgspec.Struct, frozen=True):
    """One candidate to be."""

    fingerprint: str
    document: str  # JSON
    confidence: float


def statuses(connection: sqlite3.Connection) -> dict[str, str]:
    """What has become of each one that was imported before."""
    rows = connection.execute("SELECT fingerprint, status FROM candidates WHERE kind = ?", (KIND,))
    return {row[0]: row[1] for row in rows}


def add(connection: sqlite3.Connection, rows: Iterable[Imported]) -> None:
    """All of them or none; what a person has decided about an earlier one stays."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        connection.executemany(
            "INSERT OR IGNORE INTO candidates (fingerprint, tier, kind, document, confidence, status)"
            " VALUES (?, ?, ?, ?, ?, 'candidate')",
            [(row.fingerprint, _TIER, KIND, row.document, row.confidence) for row in rows],
        )
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")
