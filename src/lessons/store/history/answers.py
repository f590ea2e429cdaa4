"""The table `answers`: what was answered when somebody was asked for the lesson of a mistake."""

import sqlite3
from collections.abc import Iterable
from typing import Literal

import msgspec

from lessons.candidate import Wording
from lessons.store.history.database import Part, as_json, get_fact, put_fact

# `pending` waits in review; `accepted` is a lesson; `refused` failed the test; `nothing`: there is nothing to learn.
Status = Literal["pending", "accepted", "refused", "nothing"]

_TO_LEARN = "to learn"
# Calls are named by their ids only: an answer about a deleted call is deleted with it. So is one with a word that
# occurs in deleted calls only.
_GONE = """
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


class Answers(Part):
    def put(self, answer: StoredAnswer) -> None:
        """Replaces the earlier answer to the dossier."""
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
        """Returns None before the first count."""
        text = get_fact(self._connection, _TO_LEARN)
        return msgspec.json.decode(text, type=ToLearn) if text else None

    def note_to_learn(self, failures: int, time: float) -> None:
        put_fact(self._connection, _TO_LEARN, as_json(ToLearn(failures, time)))

    def with_lessons(self) -> set[str]:
        """Returns the dossiers whose lessons passed the test."""
        rows = self._connection.execute("SELECT id FROM answers WHERE status IN ('pending', 'accepted')")
        return {row[0] for row in rows}

    def wordings(self) -> dict[str, Wording]:
        """Returns what a reviewer of the mistake is shown: its lesson, or the reason why there is none."""
        found: dict[str, Wording] = {}
        for each in self.all().values():
            if each.lessons and each.lessons[0].summary:
                found[each.id] = each.lessons[0]
            elif each.status == "nothing" and any(each.reasons):
                found[each.id] = Wording(each.author, each.time, worth_a_lesson=False, reason=" ".join(each.reasons))
        return found


def forget(connection: sqlite3.Connection, fingerprints: Iterable[str]) -> int:
    """Deletes the answers about these candidates, and about deleted calls."""
    return connection.execute(_GONE, (as_json(sorted(fingerprints)),)).rowcount
