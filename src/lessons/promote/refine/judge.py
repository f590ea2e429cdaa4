"""Checks an answer: returns a wording for review, or the reasons against it."""

from datetime import UTC, datetime
from typing import NamedTuple

import msgspec

from lessons.candidate import Wording
from lessons.errors import Refused
from lessons.mistakes.error_trigger import error_trigger
from lessons.promote.backtest.rule import compiled
from lessons.promote.promotion.text import one_line
from lessons.promote.queue.proposals import document_of
from lessons.promote.refine import checks
from lessons.promote.refine.answer import Answer, GivenTriggers
from lessons.promote.refine.evidence import CaseFile, trial
from lessons.promote.refine.quotations import quoted_in
from lessons.store.history.history import History

_LONGEST_REASON = 300
_SHORTEST_REASON = 10
_MOST_ERRORS = _MOST_LINES = 2_000


class Judged(NamedTuple):
    """The wording if nothing is against it."""

    wording: Wording | None
    of_words: list[str]  # reasons against the text
    of_trigger: list[str]

    @property
    def reasons(self) -> list[str]:
        return [*self.of_words, *self.of_trigger]


def judge(history: History, case: CaseFile, answer: Answer, by: str) -> Judged:
    if answer.fingerprint != case.candidate.fingerprint:
        return Judged(None, [f"fingerprint is {answer.fingerprint!r}: the dossier has another one."], [])
    if not answer.worth_a_lesson:
        return _not_a_lesson(case, answer, by)
    of_words = [sentence for check in checks.OF_WORDS for sentence in check(answer, case)]
    of_trigger = _against_trigger(history, case, answer)
    if of_words or of_trigger:
        return Judged(None, of_words, of_trigger)
    return Judged(_wording(history, case, answer, by), [], [])


def at_error(history: History, case: CaseFile, answer: Answer, by: str) -> Wording | None:
    """Returns the same text with a trigger on the error that the cited failures share; None if that fails too."""
    cited = checks.cited_failures(answer, case)
    errors = [case.failures[name].error for name in cited if case.failures[name].error]
    own = case.failures.keys()
    others = [row.error for row in history.calls.newest_failures(_MOST_ERRORS) if row.tool_use_id not in own]
    triggers = error_trigger(errors, others) if errors else None
    if triggers is None:
        return None
    given = GivenTriggers(error_patterns=triggers.error_patterns)
    changed = msgspec.structs.replace(answer, triggers=given)
    judged = judge(history, case, changed, by)
    return msgspec.structs.replace(judged.wording, at_error=True) if judged.wording else None


def _against_trigger(history: History, case: CaseFile, answer: Answer) -> list[str]:
    """Does not run a pattern that is broken or slow."""
    found = [sentence for check in checks.OF_TRIGGER for sentence in check(answer, case)]
    scope = answer.scope_in(case.projects)
    if found or scope is None or not checks.cited_failures(answer, case):
        return found
    triggers = answer.triggers.triggers()
    try:
        if left_out := compiled(triggers, scope).left_out:
            return left_out
        tried = trial(history, case, triggers, scope)
    except Refused as refused:
        return [str(refused)]
    return [sentence for check in checks.OF_TRIAL for sentence in check(answer, case, tried)]


def _not_a_lesson(case: CaseFile, answer: Answer, by: str) -> Judged:
    reason = one_line(answer.reason, _LONGEST_REASON)
    if len(reason) < _SHORTEST_REASON:
        return Judged(None, ["reason is too short: say in one sentence why it is not worth a lesson."], [])
    if found := list(checks.foreign_words("reason", reason)):
        return Judged(None, found, [])
    quoted = quoted_in([reason], case.calls)
    return Judged(Wording(by=by, time=_now(), worth_a_lesson=False, reason=reason, quoted_in=quoted), [], [])


def _wording(history: History, case: CaseFile, answer: Answer, by: str) -> Wording:
    scope = answer.scope_in(case.projects)
    triggers = document_of(answer.triggers.triggers())

    def worked(program: str) -> list[str]:
        rows = history.calls.successes_with_any_subcommand(program, _MOST_LINES) if program else []
        return [row.command for row in rows]

    return Wording(
        by=by,
        time=_now(),
        worth_a_lesson=True,
        summary=" ".join(answer.summary.split()),
        problem=answer.problem.strip(),
        solution=answer.solution.strip(),
        triggers=triggers,
        scope=scope,
        cited_tool_use_ids=answer.cited,
        quoted_in=quoted_in([answer.summary, answer.problem, answer.solution, str(triggers)], case.calls),
        unproven=checks.unproven_code(answer, case, worked),
        split_into=answer.split_into or [],
        merge_with=answer.merge_with or "",
    )


def _now() -> str:
    return f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}"
