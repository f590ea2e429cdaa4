"""An open history in, its candidates with their evidence and the calls they rest on out, as plain rows."""

import sqlite3
from collections.abc import Iterable

import msgspec

from lessons.store.history import imported

# Of a family that is used all day, the newest tell enough.
MOST_SUCCESSES = 20_000

_CANDIDATES = "SELECT fingerprint, tier, kind, document, confidence FROM candidates WHERE status = ?"
_EVIDENCE = """
SELECT e.fingerprint, e.session_id, e.uuid, e.tool_use_id, e.fix_tool_use_id, e.project, e.time, e.file
FROM evidence e JOIN candidates c USING (fingerprint) WHERE c.status = ?
ORDER BY e.time, e.session_id, e.uuid, e.number
"""
_COLUMNS = "tool_use_id, tool, command, arguments, error, cwd, agent, model, program, subcommand"
_NAMED = f"SELECT {_COLUMNS} FROM json_each(?) AS wanted JOIN calls c ON c.tool_use_id = wanted.value"
_ERRORS = "SELECT DISTINCT error_fingerprint FROM json_each(?) AS wanted JOIN calls c ON c.tool_use_id = wanted.value"
_GOOD = "outcome = 'ok'"
# By time and name: the numbers of rows depend on the order in which files were read.
_NEWEST = "ORDER BY time DESC, tool_use_id LIMIT ?"
_OF_PROGRAM = (
    f"SELECT {_COLUMNS} FROM calls INDEXED BY calls_by_program"
    f" WHERE program = ? AND subcommand = ? AND program <> '' AND {_GOOD} {_NEWEST}"
)
_OF_ANY_SUBCOMMAND = (
    f"SELECT {_COLUMNS} FROM calls INDEXED BY calls_by_program"
    f" WHERE program = ? AND program <> '' AND {_GOOD} {_NEWEST}"
)
_OF_TOOL = f"SELECT {_COLUMNS} FROM calls WHERE tool = ? AND {_GOOD} {_NEWEST}"


class Occurrence(msgspec.Struct, frozen=True, gc=False):
    """One time that it happened; what does not apply is empty."""

    session_id: str
    uuid: str
    tool_use_id: str
    fix_tool_use_id: str
    project: str
    time: str
    file: str


class StoredCandidate(msgspec.Struct, frozen=True):
    """A candidate as mining left it, with every occurrence, the oldest first."""

    fingerprint: str
    tier: int
    kind: str
    document: str  # JSON
    confidence: float
    evidence: list[Occurrence]


class StoredCall(msgspec.Struct, frozen=True, gc=False):
    """What a call was asked to do, and the error it ended in if it did."""

    tool_use_id: str
    tool: str
    command: str
    arguments: str  # JSON
    error: str
    cwd: str
    agent: str
    model: str
    program: str  # of shell calls
    subcommand: str


def candidates(connection: sqlite3.Connection, status: str = "candidate") -> list[StoredCandidate]:
    """Those with this status that rest on anything or were imported, in the order of their fingerprints."""
    evidence: dict[str, list[Occurrence]] = {}
    for fingerprint, *fields in connection.execute(_EVIDENCE, (status,)):
        evidence.setdefault(fingerprint, []).append(Occurrence(*fields))
    found = [
        StoredCandidate(fingerprint, tier, kind, document, confidence, evidence.get(fingerprint, []))
        for fingerprint, tier, kind, document, confidence in connection.execute(_CANDIDATES, (status,))
        if fingerprint in evidence or kind == imported.KIND
    ]
    return sorted(found, key=lambda candidate: candidate.fingerprint)


def calls_named(connection: sqlite3.Connection, tool_use_ids: Iterable[str]) -> list[StoredCall]:
    """The calls with these ids, in the order of the ids; one that was forgotten is left out."""
    wanted = list(dict.fromkeys(tool_use_ids))
    rows = connection.execute(_NAMED, (msgspec.json.encode(wanted).decode(),))
    found = {row[0]: StoredCall(*row) for row in rows}
    return [found[name] for name in wanted if name in found]


def errors_of(connection: sqlite3.Connection, tool_use_ids: Iterable[str]) -> set[str]:
    """The fingerprints of the errors that these calls ended in."""
    wanted = msgspec.json.encode(list(dict.fromkeys(tool_use_ids))).decode()
    return {str(row[0]) for row in connection.execute(_ERRORS, (wanted,))} - {""}


def number_of_calls(connection: sqlite3.Connection) -> int:
    return int(connection.execute("SELECT count(*) FROM calls").fetchone()[0])


def successes_of_program(
    connection: sqlite3.Connection, program: str, subcommand: str, limit: int = MOST_SUCCESSES
) -> list[StoredCall]:
    """Shell calls of this family that went well, the newest first."""
    return [StoredCall(*row) for row in connection.execute(_OF_PROGRAM, (program, subcommand, limit))]


def successes_whatever_it_did(
    connection: sqlite3.Connection, program: str, limit: int = MOST_SUCCESSES
) -> list[StoredCall]:
    """Shell calls of this program that went well, with any sub-command, the newest first."""
    return [StoredCall(*row) for row in connection.execute(_OF_ANY_SUBCOMMAND, (program, limit))]


def successes_of_tool(connection: sqlite3.Connection, tool: str, limit: int = MOST_SUCCESSES) -> list[StoredCall]:
    """Calls of a tool that is no shell that went well, the newest first."""
    return [StoredCall(*row) for row in connection.execute(_OF_TOOL, (tool, limit))]
