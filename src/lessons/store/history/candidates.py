"""The tables `candidates` and `evidence`: what mining made of the history, what was reported, imported or decided.

Tags become candidates of tier 1. The first tag after a question about a recovery is the answer to it, and rests on the
calls of that question. A tag in a code block counts only if such a question came before it.
"""

import sqlite3
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import msgspec

from lessons.agents.names import plain_id
from lessons.candidate import (
    IMPORT,
    REVIEW,
    WAITING,
    WRITTEN,
    CandidateKind,
    Occurrence,
    StoredCandidate,
    Tier,
    document_from,
)
from lessons.store.history.database import Part, as_json, plain_rows
from lessons.store.json_text import decode

_CANDIDATES = (
    "SELECT fingerprint, tier, kind, document, confidence FROM candidates WHERE {condition} ORDER BY fingerprint"
)
_EVIDENCE = """
SELECT e.fingerprint, e.session_id, e.uuid, e.tool_use_id, e.fix_tool_use_id, e.project, e.time, e.file
FROM candidates c CROSS JOIN evidence e USING (fingerprint) WHERE {condition}
ORDER BY e.time, e.session_id, e.uuid, e.number
"""
_AGENTS = """
SELECT s.path, s.agent FROM json_each(?) AS wanted JOIN sources s ON s.path = wanted.value ORDER BY s.generation
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
_RESTS_ON = """
AND c.fingerprint IN (
    SELECT n.fingerprint FROM json_each(?) AS wanted JOIN evidence n ON n.tool_use_id = wanted.value
    UNION ALL SELECT l.fingerprint FROM candidates l
    WHERE NOT EXISTS (SELECT 1 FROM evidence n WHERE n.fingerprint = l.fingerprint)
)"""
# Only such an answer rests on calls.
_UNTESTED_TAGS = """
SELECT t.fingerprint FROM candidates t CROSS JOIN evidence n USING (fingerprint)
WHERE t.kind = 'tag' AND n.tool_use_id <> '' AND t.fingerprint NOT IN (SELECT id FROM answers)
"""
_OF_REVIEW = (
    f"INSERT OR IGNORE INTO evidence {_COLUMNS} VALUES (:fingerprint, :session_id, :uuid, 0, '', '', '', :project,"
    " :time, :file)"
)
_STATUSES = (
    "SELECT fingerprint, status, iif(json_valid(document), json_extract(document, '$.aliases'), NULL) FROM candidates"
)


class CandidateRow(msgspec.Struct, frozen=True):
    """A candidate to store; its evidence are failed calls with their fixes, prompts, or entries of a review log."""

    fingerprint: str
    tier: Tier
    kind: CandidateKind
    document: str  # JSON, see CandidateDocument
    confidence: float
    calls: Sequence[tuple[str, str]] = ()  # the failed call, and the one that fixed it or nothing
    prompts: Sequence[tuple[int, str]] = ()  # the key of what a person typed, and the call it answers
    reviews: Sequence[Occurrence] = ()  # entries of a review log


class Standing(NamedTuple):
    """The status of a candidate, and every name under which it may have been decided about, its own first."""

    fingerprint: str
    status: str
    names: list[str]


class Candidates(Part):
    def with_status(self, status: str = WAITING) -> list[StoredCandidate]:
        """Those with evidence, and imports, in the order of their fingerprints."""
        return self._stored("status = ?", status)

    def named(self, fingerprints: Iterable[str]) -> list[StoredCandidate]:
        """The same with these fingerprints, whatever was decided about them."""
        wanted = as_json(list(fingerprints))
        return self._stored("fingerprint IN (SELECT value FROM json_each(?))", wanted)

    def untested_tags(self) -> list[StoredCandidate]:
        """The undecided tags that answer a question about a recovery, and were not tested on the history yet."""
        return self._stored(f"status = ? AND fingerprint IN ({_UNTESTED_TAGS})", WAITING)

    def of_tier(self, tier: Tier) -> list[StoredCandidate]:
        """The same of one tier, whatever was decided about them."""
        return self._stored("tier = ?", tier)

    def _stored(self, condition: str, value: object) -> list[StoredCandidate]:
        with plain_rows(self._connection) as cursor:
            found = cursor.execute(_EVIDENCE.format(condition=condition), (value,)).fetchall()
            files = as_json(list({row[7] for row in found}))
            agents = dict(cursor.execute(_AGENTS, (files,)).fetchall())  # the last generation of a file counts
            rows = cursor.execute(_CANDIDATES.format(condition=condition), (value,)).fetchall()
        evidence: dict[str, list[Occurrence]] = {}
        for fingerprint, *place in found:
            evidence.setdefault(fingerprint, []).append(Occurrence(*(*place, agents.get(place[-1], ""))))
        return [
            StoredCandidate(fingerprint, tier, kind, document_from(document), confidence, evidence.get(fingerprint, []))
            for fingerprint, tier, kind, document, confidence in rows
            if fingerprint in evidence or kind == IMPORT
        ]

    def evidence(self, tier: Tier, calls: Iterable[str] | None = None) -> dict[str, set[str]]:
        """What each candidate of a tier rests on: ids of calls, or for corrections those of prompts.

        Where calls are named, only of the candidates that rest on one of them, or on nothing any more.
        """
        found: dict[str, set[str]] = {}
        chosen = "" if calls is None else _RESTS_ON
        values = () if calls is None else (as_json(list(calls)),)
        rows = self._connection.execute(
            "SELECT c.fingerprint, CASE c.tier WHEN 2 THEN e.tool_use_id ELSE e.uuid END"
            f" FROM candidates c LEFT JOIN evidence e USING (fingerprint) WHERE c.tier = ? {chosen}",
            (tier, *values),
        )
        for fingerprint, name in rows:
            found.setdefault(fingerprint, set()).update([name] if name else [])
        return found

    def occurrences(self, fingerprints: Iterable[str]) -> dict[str, int]:
        rows = self._connection.execute(
            "SELECT wanted.value, count(e.fingerprint) FROM json_each(?) AS wanted"
            " LEFT JOIN evidence e ON e.fingerprint = wanted.value GROUP BY 1",
            (as_json(list(fingerprints)),),
        )
        return dict(rows.fetchall())

    def recurring(self, fingerprints: Iterable[str] | None = None) -> set[str]:
        """Those in the queue, of these or of all, that were seen in more than one session."""
        chosen = "" if fingerprints is None else " AND c.fingerprint IN (SELECT value FROM json_each(?))"
        rows = self._connection.execute(
            f"SELECT c.fingerprint FROM candidates c JOIN evidence e USING (fingerprint) WHERE c.status = 'candidate'"
            f"{chosen} GROUP BY c.fingerprint HAVING count(DISTINCT e.session_id) > 1",
            () if fingerprints is None else (as_json(sorted(fingerprints)),),
        )
        return {row[0] for row in rows}

    def repeated_since(self, moment: str) -> tuple[str, int] | None:
        """The one of the queue that was seen most often since then, if more than once: its fingerprint, how often."""
        row = self._connection.execute(
            "SELECT fingerprint, count(*) FROM candidates JOIN evidence USING (fingerprint) WHERE status = ?"
            " AND kind <> ? AND time >= ? GROUP BY fingerprint HAVING count(*) > 1"
            " ORDER BY count(*) DESC, max(time) DESC, fingerprint LIMIT 1",
            (WAITING, REVIEW, moment),
        ).fetchone()
        return (row[0], row[1]) if row else None

    def replace(self, rows: Iterable[CandidateRow]) -> None:
        """Rewrites these with their evidence; decisions about them stay."""
        for row in rows:
            values = (row.fingerprint, row.tier, row.kind, row.document, row.confidence)
            self._connection.execute(_UPSERT, values)
            self._connection.execute("DELETE FROM evidence WHERE fingerprint = ?", (row.fingerprint,))
            self._connection.execute("DELETE FROM proposals WHERE fingerprint = ?", (row.fingerprint,))
            self._connection.executemany(_OF_CALL, [(row.fingerprint, fix, name) for name, fix in row.calls])
            self._connection.executemany(_OF_PROMPT, [(row.fingerprint, name, key) for key, name in row.prompts])
            found = [{"fingerprint": row.fingerprint, **msgspec.structs.asdict(each)} for each in row.reviews]
            self._connection.executemany(_OF_REVIEW, found)

    def replace_reviews(self, project: str, rows: Sequence[CandidateRow]) -> None:
        """The candidates from the reviews of a project are these and no others; the caller holds the transaction."""
        known = self._connection.execute(
            "SELECT DISTINCT c.fingerprint FROM candidates c JOIN evidence e USING (fingerprint)"
            " WHERE c.kind = ? AND e.project = ?",
            (REVIEW, project),
        )
        self.remove({row[0] for row in known.fetchall()} - {row.fingerprint for row in rows})
        self.replace(rows)

    def remove(self, fingerprints: Iterable[str]) -> None:
        """Deletes these with their evidence; what a person has decided about them is in a file of its own."""
        for fingerprint in fingerprints:
            self._connection.execute("DELETE FROM candidates WHERE fingerprint = ?", (fingerprint,))

    def statuses_of(self, kind: CandidateKind) -> dict[str, str]:
        rows = self._connection.execute("SELECT fingerprint, status FROM candidates WHERE kind = ?", (kind,))
        return {row[0]: row[1] for row in rows}

    def add_imported(self, rows: Iterable[CandidateRow]) -> None:
        """Adds those that are new; the caller holds the transaction."""
        self._connection.executemany(
            "INSERT OR IGNORE INTO candidates (fingerprint, tier, kind, document, confidence, status)"
            " VALUES (?, ?, ?, ?, ?, 'candidate')",
            [(row.fingerprint, row.tier, row.kind, row.document, row.confidence) for row in rows],
        )

    def add_reported(self, rows: Iterable[CandidateRow], fingerprint: str, occurrence: Occurrence) -> None:
        """Adds what is new, and one more occurrence to what is known; the caller holds the transaction."""
        self.add_imported(rows)
        fields = {"fingerprint": fingerprint, **msgspec.structs.asdict(occurrence)}
        self._connection.execute(_OF_REVIEW, fields)

    def standing(self) -> list[Standing]:
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


def written_row(kind: CandidateKind, fingerprint: str, document: str, confidence: float) -> CandidateRow:
    """What someone wrote down, as with a tag: an import has no evidence, a report is given some."""
    return CandidateRow(fingerprint, WRITTEN, kind, document, confidence)


_IN_ORDER = """
SELECT t.id, t.agent_id, t.fingerprint, t.fields, t.time FROM tags t JOIN sources s ON s.id = t.source_id
WHERE t.session_id = ? ORDER BY s.path, s.generation, t.position, t.number
"""
_STANDING = """
SELECT t.id, t.session_id, t.uuid, t.number, t.message_id, t.project, t.time, s.path, t.fields
FROM tags t JOIN sources s ON s.id = t.source_id WHERE t.fingerprint = ? AND NOT t.cancelled
ORDER BY s.path, s.generation, t.position, t.number
"""
_QUESTIONS = """
SELECT time, line FROM injections WHERE session_id = ? AND agent_id = '' AND decision = 'asked' ORDER BY time, id
"""
# For agents that give hooks no ids: the last such call that the session had made by then.
_LAST_CALL = """
SELECT tool_use_id FROM calls WHERE session_id = ? AND agent_id = '' AND outcome = ? AND time <= ?
ORDER BY time DESC, position DESC, block DESC LIMIT 1
"""
# Records without their own id, or with the id of another one, count once in a session.
_EVIDENCE_OF_TAGS = (
    "INSERT OR IGNORE INTO evidence (fingerprint, session_id, uuid, number, message_id, project, time, file,"
    " tool_use_id, fix_tool_use_id) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
# A shorter beginning could match any problem.
_LEAST_NAME = 10


class _Question(NamedTuple):
    """A question about a recovery: when it was asked, the failed call and its fix."""

    time: str
    failed: str
    fix: str


def refresh(connection: sqlite3.Connection, sessions: Iterable[str]) -> tuple[set[str], set[str]]:
    """Rebuilds the candidates of these sessions; returns those that are new and those whose evidence grew."""
    fingerprints: set[str] = set()
    for session_id in sorted(sessions):
        fingerprints |= _cancel(connection, session_id)
    new: set[str] = set()
    grown: set[str] = set()
    for fingerprint in sorted(fingerprints):
        before, after = _rebuild(connection, fingerprint)
        if after > before:
            (grown if before else new).add(fingerprint)
    return new, grown


def _cancel(connection: sqlite3.Connection, session_id: str) -> set[str]:
    """Cancels the last tag before each withdrawal in its thread, or the last with the problem that it names.

    Cancels tags in code blocks that nobody asked for, too. Returns all fingerprints of the session.
    """
    standing: dict[str, dict[int, str]] = {}
    cancelled: set[int] = set()
    fingerprints = set()
    rows = connection.execute(_IN_ORDER, (session_id,)).fetchall()
    questions = _questions(connection, session_id) if rows else []
    for number, agent_id, fingerprint, fields, time in rows:
        before = standing.setdefault(agent_id, {})
        if fingerprint:
            fingerprints.add(fingerprint)
            if msgspec.json.decode(fields).get("fenced") is True and not any(each.time <= time for each in questions):
                cancelled.add(number)
            else:
                before[number] = fields
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


def _rebuild(connection: sqlite3.Connection, fingerprint: str) -> tuple[int, int]:
    """Writes the candidate from all its tags, worded as the most certain one.

    Returns the number of occurrences before and after.
    """

    def count() -> int:
        sql = "SELECT count(*) FROM evidence WHERE fingerprint = ?"
        return int(connection.execute(sql, (fingerprint,)).fetchone()[0])

    before = count()
    connection.execute("DELETE FROM evidence WHERE fingerprint = ?", (fingerprint,))
    rows = connection.execute(_STANDING, (fingerprint,)).fetchall()
    if not rows:
        connection.execute("DELETE FROM candidates WHERE fingerprint = ? AND status = 'candidate'", (fingerprint,))
        return before, 0
    best = min((row[-1] for row in rows), key=lambda fields: (-_confidence(fields), fields))
    connection.execute(_UPSERT, (fingerprint, 1, "tag", best, _confidence(best)))
    answered = {session: _answered(connection, session) for session in {row[1] for row in rows}}
    evidence = [(fingerprint, *row[1:-1], *answered[row[1]].get(row[0], ("", ""))) for row in rows]
    connection.executemany(_EVIDENCE_OF_TAGS, evidence)
    return before, count()


def _answered(connection: sqlite3.Connection, session_id: str) -> dict[int, tuple[str, str]]:
    """Returns the calls of the question that a tag of the session answers: the first tag after it that stands."""
    found: dict[int, tuple[str, str]] = {}
    questions = _questions(connection, session_id)
    if not questions:
        return found
    tags = "SELECT id, time FROM tags WHERE session_id = ? AND agent_id = '' AND fingerprint <> '' AND NOT cancelled"
    rows = connection.execute(f"{tags} ORDER BY time, position, number", (session_id,)).fetchall()
    for question, until in zip(questions, [*(each.time for each in questions[1:]), ""], strict=True):
        after = (number for number, time in rows if question.time <= time and (not until or time < until))
        number = next(after, None)
        if number is not None and question.failed:
            found[number] = (question.failed, question.fix)
    return found


def _questions(connection: sqlite3.Connection, session_id: str) -> list[_Question]:
    def last_call(outcome: str, until: str) -> str:
        row = connection.execute(_LAST_CALL, (session_id, outcome, until)).fetchone()
        return row[0] if row else ""

    found = []
    for time, line in connection.execute(_QUESTIONS, (session_id,)).fetchall():
        decoded = decode(line)
        event = decoded if isinstance(decoded, dict) else {}
        names = event.get("toolUseIds")
        if isinstance(names, list) and len(names) == 2:
            found.append(_Question(time, plain_id(str(names[0])), plain_id(str(names[1]))))
        else:
            failed = last_call("failed", str(event.get("failedAt") or ""))
            found.append(_Question(time, failed, last_call("ok", time)))
    return found


def _confidence(fields: str) -> float:
    return float(msgspec.json.decode(fields)["confidence"])
