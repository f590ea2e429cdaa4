"""The first lessons of a new history: its best candidates, put into shadow."""

from typing import NamedTuple

import msgspec

from lessons.candidate import FAILURE
from lessons.config import Config
from lessons.errors import Refused
from lessons.lesson_fields import BEFORE_A_CALL, has_any
from lessons.match.rule import why_it_fires
from lessons.model import Triggers
from lessons.promote.backtest import text
from lessons.promote.backtest.rule import EVERYWHERE, compiled
from lessons.promote.promotion import promotion
from lessons.promote.promotion.promotion import Choice
from lessons.promote.propose.proposals import call_of
from lessons.promote.review.case import Case
from lessons.store import lesson_file
from lessons.store.decisions import read, standing
from lessons.store.fault_boundary import analysed
from lessons.store.history.history import History

BEST = 5
_SHARE_OF_FAILURES = 0.9
_SHADOW = Choice(stage="shadow")


class FirstLesson(NamedTuple):
    """A lesson that was created, and its evidence."""

    record: dict[str, object]
    case: Case
    history: str


def promoted_before(home: str) -> list[str]:
    """The slugs of the lessons that were promoted earlier and are still there."""
    there = lesson_file.read(home).names()
    return [each.slug for each in standing(read(home)) if each.action == "promoted" and each.slug in there]


def with_trigger(cases: list[Case]) -> list[Case]:
    """The cases with a trigger; those that fire at a call come before those that fire on an error text only."""
    usable = [case for case in cases if case.triggers is not None]
    return sorted(usable, key=lambda case: not _acts_before(case.triggers))


def _acts_before(triggers: Triggers | None) -> bool:
    return triggers is not None and has_any(triggers, BEFORE_A_CALL)


def promote_best(home: str, settings: Config, cases: list[Case], wanted: int) -> list[FirstLesson]:
    """Promote the first `wanted` cases whose trigger separates failures from fixes; the others are left to a person."""
    begun: list[FirstLesson] = []
    for case in with_trigger(cases):
        if len(begun) >= wanted:
            break
        # A tag is text that anything the agent has read may have put into its mouth: a person looks at those first.
        if case.candidate.tier == FAILURE and (one := _promoted(home, settings, case)):
            begun.append(one)
    return begun


def _promoted(home: str, settings: Config, case: Case) -> FirstLesson | None:
    known = lesson_file.read(home).lessons()
    with History.for_reading(home) as history:
        draft = promotion.draft(history, settings, case.candidate, _SHADOW, known)
        if draft.problems or draft.objections or not _surely_tells_apart(history, case):
            return None
    try:
        promoted = promotion.promote(home, case.candidate, _SHADOW)
    except Refused:  # another process was quicker
        return None
    return FirstLesson(promoted.record, case, text.sentence(draft.report) if draft.report else "")


def _surely_tells_apart(history: History, case: Case) -> bool:
    name = case.candidate.fingerprint
    return analysed(history.home, name, lambda: _tells_apart(history, case), lambda fault: False)


def _tells_apart(history: History, case: Case) -> bool:
    """Whether the trigger fires on what failed, with few exceptions, and on nothing that fixed it."""
    assert case.triggers is not None
    rule = compiled(case.triggers, EVERYWHERE, False).rule
    evidence = case.candidate.evidence
    acts_before = _acts_before(case.triggers)

    def fires(names: list[str | None], failed: bool) -> list[bool]:
        rows = history.calls.named([name for name in names if name])
        kept = rows if failed and not acts_before else [msgspec.structs.replace(row, error="") for row in rows]
        return [why_it_fires(rule, call_of(row)) is not None for row in kept]

    failures = fires([each.tool_use_id for each in evidence], True)
    fixes = fires([each.fix_tool_use_id for each in evidence], False)
    return sum(failures) >= max(1, _SHARE_OF_FAILURES * len(failures)) and not any(fixes)
