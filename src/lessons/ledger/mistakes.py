"""Whether a call made the mistake that a lesson is about."""

from collections.abc import Iterable, Sequence

import msgspec

from lessons.ledger.rules import rules_of
from lessons.match.rule import Rule, applies, find
from lessons.mistakes.weight import ENOUGH
from lessons.model import Lesson
from lessons.promote.backtest.matching import asked
from lessons.shell.hidden_exit import hides_errors
from lessons.store import decisions
from lessons.store.history.contexts import ContextCall
from lessons.store.history.history import History

_WITHOUT_FIX = "telling-error"


class Mistake(msgspec.Struct, frozen=True):
    """What is known about the mistake of a lesson: the errors that it was learned from, and those that it names.

    Another program may word the same mistake differently: at a call that the lesson matches, an error of the same kind
    counts too. For a hand-written lesson nothing may be known: then every failed call that it matches made its mistake,
    unless the error is part of normal work, such as a failing test.
    """

    fingerprints: frozenset[str]
    rule: Rule
    kinds: frozenset[str] = frozenset()  # wrong-flag, missing-tool, …

    @property
    def is_known(self) -> bool:
        return bool(self.fingerprints or self.rule.error)

    def was_made(self, call: ContextCall, matches: bool) -> bool | None:
        """Returns None if unknown: the call did not finish, or a failure may hide behind its success."""
        if call.outcome not in ("ok", "failed"):
            return None
        if call.outcome == "ok" and not call.suspicious:
            return None if hides_errors(call.command) else False
        if self._is_its_error(call) or (matches and self._is_of_its_kind(call)):
            return True
        return None if call.outcome == "ok" else False

    def _is_of_its_kind(self, call: ContextCall) -> bool:
        if call.outcome != "failed" or call.weight < ENOUGH:
            return False
        return not self.is_known or bool(self.kinds and call.kind in (*self.kinds, _WITHOUT_FIX))

    def is_meant(self, call: ContextCall) -> bool:
        """Whether the lesson applies to the call's tool, place and agent."""
        return applies(self.rule, asked(call))

    def _is_its_error(self, call: ContextCall) -> bool:
        if call.error_fingerprint and call.error_fingerprint in self.fingerprints:
            return True
        error = call.error.replace("\r\n", "\n")
        return bool(error) and any(find(pattern, error) for pattern in self.rule.error)


def mistakes_of(history: History, lessons: Sequence[Lesson]) -> dict[str, Mistake]:
    """Returns mistakes by lesson id."""
    learned, found = _learned_from(history), {}
    rules = rules_of(history.home, lessons)
    for each in lessons:
        # Evidence added to its candidates after the lesson was created does not change its subject.
        names = [call for _, call, time in learned.get(each.id, ()) if call and _is_before(time, each)]
        fingerprints = history.calls.error_fingerprints(names) if names else ()
        kinds = frozenset(row.kind for row in history.episodes.of_calls(names).values())
        found[each.id] = Mistake(frozenset(fingerprints), rules[each.id], kinds)
    return found


def sessions_learned_from(history: History, lessons: Iterable[Lesson]) -> dict[str, frozenset[str]]:
    """Returns the sessions that each lesson was learned from, by its id."""
    learned, found = _learned_from(history), {}
    for each in lessons:
        sessions = (session for session, _, time in learned.get(each.id, ()) if _is_before(time, each))
        found[each.id] = frozenset(sessions) | frozenset(each.source_session_ids)
    return found


_Evidence = tuple[str, str, str]  # session, failed call, time


def _learned_from(history: History) -> dict[str, list[_Evidence]]:
    """Returns the evidence of every candidate that became a lesson or was merged into one, by lesson id."""
    lesson_of: dict[str, str] = {}
    for decision in decisions.standing(decisions.read(history.home)):
        if decision.action in ("promoted", "merged"):
            lesson_of[decision.fingerprint] = decision.lesson or decision.part_of or decision.id
    found: dict[str, list[_Evidence]] = {}
    for status in ("promoted", "merged"):
        for candidate in history.candidates.with_status(status):
            names = (candidate.fingerprint, *candidate.document.aliases)
            lesson = next((lesson_of[name] for name in names if name in lesson_of), None)
            if lesson is not None:
                evidence = ((each.session_id, each.tool_use_id, each.time) for each in candidate.evidence)
                found.setdefault(lesson, []).extend(evidence)
    return found


def _is_before(time: str, lesson: Lesson) -> bool:
    return not lesson.created_at or time <= lesson.created_at
