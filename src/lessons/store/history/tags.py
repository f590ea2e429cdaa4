"""The candidates that tags make: tier 1.

The first tag after a question about a recovery is the answer to it, and rests on the calls of that question. A tag in a
code block counts only if such a question came before it.
"""

import sqlite3
from collections.abc import Iterable
from typing import NamedTuple

import msgspec

from lessons.agents.names import plain_id
from lessons.store.history.candidates import UPSERT
from lessons.store.json_text import decode

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
    connection.execute(UPSERT, (fingerprint, 1, "tag", best, _confidence(best)))
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
