"""The tables of candidates: what mining made of the history, what was reported, imported or decided.

With the triggers that were proposed for them, and the answers of agents who were asked about them.
"""

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, NamedTuple

import msgspec

import lessons
from lessons.candidate import (
    IMPORT,
    REVIEW,
    WAITING,
    WRITTEN,
    CandidateKind,
    Occurrence,
    StoredCandidate,
    Tier,
    Wording,
    document_from,
)
from lessons.model import Scope
from lessons.store.history.database import HistoryPart, as_json, get_fact, plain_rows, put_fact, texts

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
UPSERT = (
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


class Candidates(HistoryPart):
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
        return texts(
            self._connection,
            f"SELECT c.fingerprint FROM candidates c JOIN evidence e USING (fingerprint) WHERE c.status = 'candidate'"
            f"{chosen} GROUP BY c.fingerprint HAVING count(DISTINCT e.session_id) > 1",
            () if fingerprints is None else (as_json(sorted(fingerprints)),),
        )

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
            self._connection.execute(UPSERT, values)
            self._connection.execute("DELETE FROM evidence WHERE fingerprint = ?", (row.fingerprint,))
            self._connection.execute("DELETE FROM proposals WHERE fingerprint = ?", (row.fingerprint,))
            self._connection.executemany(_OF_CALL, [(row.fingerprint, fix, name) for name, fix in row.calls])
            self._connection.executemany(_OF_PROMPT, [(row.fingerprint, name, key) for key, name in row.prompts])
            found = [{"fingerprint": row.fingerprint, **msgspec.structs.asdict(each)} for each in row.reviews]
            self._connection.executemany(_OF_REVIEW, found)

    def replace_reviews(self, project: str, rows: Sequence[CandidateRow]) -> None:
        """The candidates from the reviews of a project are these and no others; the caller holds the transaction."""
        sql = (
            "SELECT c.fingerprint FROM candidates c JOIN evidence e USING (fingerprint)"
            " WHERE c.kind = ? AND e.project = ?"
        )
        self.remove(texts(self._connection, sql, (REVIEW, project)) - {row.fingerprint for row in rows})
        self.replace(rows)

    def remove(self, fingerprints: Iterable[str]) -> None:
        """Deletes these with their evidence; what a person has decided about them is in a file of its own."""
        gone = [(fingerprint,) for fingerprint in fingerprints]
        self._connection.executemany("DELETE FROM candidates WHERE fingerprint = ?", gone)

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
        self._connection.executemany(
            "UPDATE candidates SET status = ? WHERE fingerprint = ?", [(status, name) for name, status in statuses]
        )


def written_row(kind: CandidateKind, fingerprint: str, document: str, confidence: float) -> CandidateRow:
    """What someone wrote down, as with a tag: an import has no evidence, a report is given some."""
    return CandidateRow(fingerprint, WRITTEN, kind, document, confidence)


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


class StoredProposals(HistoryPart):
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


# `pending` waits in review; `accepted` is a lesson; `refused` failed the test; `nothing`: there is nothing to learn.
Status = Literal["pending", "accepted", "refused", "nothing"]

_TO_LEARN = "to learn"
# Calls are named by their ids only: an answer about a deleted call is deleted with it. So is one with a word that
# occurs in deleted calls only.
_ANSWERS_GONE = """
DELETE FROM answers WHERE id IN (SELECT value FROM json_each(?))
OR NOT json_valid(document) OR NOT json_valid(calls)
OR EXISTS (
    SELECT 1 FROM json_each(iif(json_valid(calls), calls, '[]')) AS named
    WHERE NOT EXISTS (SELECT 1 FROM calls c WHERE c.tool_use_id = named.value)
)
OR EXISTS (
    SELECT 1 FROM json_each(iif(json_valid(document), document, '[]')) AS lesson,
        json_each(lesson.value, '$.quotedIn') AS word
    WHERE NOT EXISTS (SELECT 1 FROM json_each(word.value) AS said JOIN calls c ON c.tool_use_id = said.value)
)
"""


class StoredAnswer(msgspec.Struct, frozen=True):
    """One row; `lessons` are those that passed the test. One without text is merged into the lesson with its slug."""

    id: str
    status: Status
    lessons: list[Wording]
    reasons: list[str]
    author: str
    time: str
    round: int
    calls: list[str]


class ToLearn(msgspec.Struct, frozen=True):
    """How many failed calls wait to be learned from, if they are enough to tell a person, and when that was counted."""

    failures: int
    time: float


class StoredAnswers(HistoryPart):
    def put(self, answer: StoredAnswer) -> None:
        lessons, reasons, calls = (as_json(each) for each in (answer.lessons, answer.reasons, answer.calls))
        self._connection.execute(
            "INSERT OR REPLACE INTO answers VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (answer.id, answer.status, lessons, reasons, answer.author, answer.time, answer.round, calls),
        )

    def all(self) -> dict[str, StoredAnswer]:
        """Returns them by dossier; leaves out what cannot be read."""
        found: dict[str, StoredAnswer] = {}
        rows = self._connection.execute("SELECT id, status, document, reasons, author, time, round, calls FROM answers")
        for name, status, document, reasons, author, time, number, calls in rows:
            try:
                lessons = msgspec.json.decode(document, type=list[Wording])
                texts = (msgspec.json.decode(each, type=list[str]) for each in (reasons, calls))
                found[name] = StoredAnswer(name, status, lessons, next(texts), author, time, number, next(texts))
            except msgspec.MsgspecError:
                continue
        return found

    def to_learn(self) -> ToLearn | None:
        text = get_fact(self._connection, _TO_LEARN)
        return msgspec.json.decode(text, type=ToLearn) if text else None

    def note_to_learn(self, failures: int, time: float) -> None:
        put_fact(self._connection, _TO_LEARN, as_json(ToLearn(failures, time)))

    def with_lessons(self) -> set[str]:
        return texts(self._connection, "SELECT id FROM answers WHERE status IN ('pending', 'accepted')")

    def wordings(self) -> dict[str, Wording]:
        """Returns what a reviewer of the mistake is shown: its lesson, or the reason why there is none."""
        found: dict[str, Wording] = {}
        for each in self.all().values():
            if each.lessons and each.lessons[0].summary:
                found[each.id] = each.lessons[0]
            elif each.status == "nothing" and any(each.reasons):
                found[each.id] = Wording(each.author, each.time, worth_a_lesson=False, reason=" ".join(each.reasons))
        return found


def forget_answers(connection: sqlite3.Connection, fingerprints: Iterable[str]) -> int:
    return connection.execute(_ANSWERS_GONE, (as_json(sorted(fingerprints)),)).rowcount
