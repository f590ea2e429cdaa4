"""Finds the lesson that already covers a case: one of the user's own, else one of the starter pack."""

from typing import NamedTuple

import msgspec

from lessons.errors import LessonsError
from lessons.match.rule import Rule
from lessons.model import Lesson, lesson_from_document
from lessons.promote import starter
from lessons.promote.backtest.many import rule_of
from lessons.promote.backtest.rule import compiled
from lessons.promote.queue.candidate import Candidate
from lessons.promote.review.fires import fires_after, fires_before
from lessons.store import lesson_file
from lessons.store.fault_boundary import analysed
from lessons.store.history.history import History
from lessons.store.history.past_calls import StoredCall

# It covers a mistake if it fires on this share of the failed calls.
_SHARE_OF_FAILURES = 0.6
_MOST_CALLS = 20  # the newest are enough


class Answer(NamedTuple):
    """`is_stored` distinguishes the user's own lesson from one that is only in the pack."""

    slug: str
    summary: str
    is_stored: bool

    def sentence(self) -> str:
        if self.is_stored:
            return f"by your lesson {self.slug} (m merges)"
        return f"by the starter lesson {self.slug}: {self.summary}"


class Answers:
    """Compiles the lessons once; notices what is stored meanwhile."""

    def __init__(self, home: str, with_pack: bool = True) -> None:
        self._home = home
        self._pack: list[tuple[Lesson, Rule]] | None = None if with_pack else []
        self._own: dict[str, Rule | None] = {}

    def of(self, candidate: Candidate) -> Answer | None:
        with History.for_reading(self._home) as history:
            return analysed(self._home, candidate.fingerprint, lambda: self._of(history, candidate), lambda fault: None)

    def is_left_to_another(self, candidate: Candidate) -> bool:
        """Whether a lesson answers it, or one of the pack objects to the call that worked too."""
        if self.of(candidate) is not None:
            return True
        name = candidate.fingerprint
        with History.for_reading(self._home) as history:
            return analysed(self._home, name, lambda: self._objects(history, candidate), lambda fault: False)

    def _of(self, history: History, candidate: Candidate) -> Answer | None:
        failed, fixed = _calls(history, candidate)
        for lesson, rule, is_stored in self._lessons() if failed else ():
            if _covers(rule, failed) and not any(fires_before(rule, call) for call in fixed):
                return Answer(lesson.slug, lesson.summary, is_stored)
        return None

    def _objects(self, history: History, candidate: Candidate) -> bool:
        failed, _ = _calls(history, candidate)
        pack = [rule for _, rule, is_stored in self._lessons() if not is_stored] if failed else []
        return any(_covers(rule, failed) for rule in pack)

    def _lessons(self) -> list[tuple[Lesson, Rule, bool]]:
        """Returns the user's own first."""
        own = [each for each in lesson_file.read(self._home).lessons() if each.stage != "retired"]
        stored = [(each, rule, True) for each in own if (rule := self._rule(each))]
        if self._pack is None:
            records = (lesson_from_document({"id": record["slug"], **record}) for record in starter.pack())
            self._pack = [(lesson, rule_of(lesson)) for lesson in records]
        names = lesson_file.read(self._home).names()
        return [*stored, *((lesson, rule, False) for lesson, rule in self._pack if lesson.slug not in names)]

    def _rule(self, lesson: Lesson) -> Rule | None:
        mark = msgspec.json.encode((lesson.triggers, lesson.scope)).decode()
        if mark not in self._own:
            try:
                self._own[mark] = compiled(lesson.triggers, lesson.scope, lesson.block or lesson.stop_once).rule
            except LessonsError:
                self._own[mark] = None
        return self._own[mark]


def _calls(history: History, candidate: Candidate) -> tuple[list[StoredCall], list[StoredCall]]:
    """Returns the newest failed calls, and those that worked instead."""
    newest = [each for each in candidate.evidence if each.tool_use_id][-_MOST_CALLS:]
    failed = [row for row in history.calls.named(each.tool_use_id or "" for each in newest) if row.error]
    return failed, history.calls.named(each.fix_tool_use_id for each in newest if each.fix_tool_use_id)


def _covers(rule: Rule, failed: list[StoredCall]) -> bool:
    """Whether it fires on most of what failed."""
    hits = sum(fires_before(rule, call) or fires_after(rule, call) for call in failed)
    return hits >= _SHARE_OF_FAILURES * len(failed)
