"""The first lessons for a new history: starter lessons that match it, and its best candidates."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import NamedTuple

from lessons.candidate import FAILURE, WRITTEN
from lessons.config import Config
from lessons.errors import Refused
from lessons.lesson_fields import BEFORE_A_CALL, has_any
from lessons.match.state import AsWanted
from lessons.model import Triggers
from lessons.promote import backtest_report, catalog, decide, starter
from lessons.promote.backtest import Report, compiled
from lessons.promote.candidate import saving_of
from lessons.promote.draft import Choice, make_draft
from lessons.promote.matching import verdict_on
from lessons.promote.queue import is_recurring
from lessons.promote.review_case import Answers, Case, make_ready
from lessons.promote.starter import StarterMatch
from lessons.store import lesson_file
from lessons.store.decisions import read, standing
from lessons.store.history.history import History
from lessons.store.logs import analysed

BEST = 5
# This many of the five are starter lessons, if there are candidates for the other places.
_STARTERS_FIRST = 3
_READY_AT_ONCE = 20  # cases whose triggers are computed together
_SHARE_OF_FAILURES = 0.9
_MOST_DISTURBED = 0.1  # of the calls that it fires on
_SHADOW = Choice(stage="shadow")


class FirstLesson(NamedTuple):
    """A lesson that was created, and its evidence; one of the starter pack has no case."""

    record: dict[str, object]
    case: Case | None
    history: str
    example: str = ""  # a command that a starter lesson would have caught
    fired: int = 0  # calls of the history that it would have spoken up at
    disturbed: int = 0  # of these, those that went well
    is_guard: bool = False


def taken_before(home: str) -> list[str]:
    """Returns the slugs of what earlier runs created and is still in use: promoted, or of the starter pack.

    A starter lesson in shadow counts too, if no decision is stored: nothing else puts one there.
    """
    records = [each for each in lesson_file.read(home).records if isinstance(each, dict)]
    stages = {str(each.get("slug")): each.get("stage") for each in records if each.get("stage") != "retired"}
    accepted = starter.accepted(home)
    promoted = [each.slug for each in standing(read(home)) if each.action == "promoted" and each.slug in stages]
    pack = [slug for each in starter.pack() if (slug := str(each["slug"])) in stages]
    return [*promoted, *(slug for slug in pack if slug in accepted or stages[slug] == "shadow")]


def take_starters(home: str, chosen: Sequence[StarterMatch], stage: str = "") -> list[FirstLesson]:
    """Stores them, all at once."""
    if not chosen:
        return []
    stored = catalog.add_all(home, [{**each.record, **({"stage": stage} if stage else {})} for each in chosen])
    starter.accept(home, [each.slug for each in chosen])
    return [
        FirstLesson(
            done.record,
            None,
            each.sentence(),
            each.example,
            fired=each.caught + each.disturbed,
            disturbed=each.disturbed,
            is_guard=each.is_guard,
        )
        for done, each in zip(stored, chosen, strict=True)
    ]


def of_case(record: dict[str, object], case: Case, report: Report | None) -> FirstLesson:
    if report is None:  # a note for the start of a session
        return FirstLesson(record, case, "")
    return FirstLesson(record, case, backtest_report.sentence(report), "", report.hits, report.others.good)


def begin_unseen(
    home: str, settings: Config, cases: Sequence[Case], matches: Sequence[StarterMatch], room: int
) -> list[FirstLesson]:
    """Adds lessons in shadow without asking: the first starter lessons, the best candidates, then what else fits."""
    first = matches[: max(0, min(room, _STARTERS_FIRST))]
    begun = take_starters(home, first, "shadow")
    begun += promote_best(home, settings, cases, room - len(begun))
    rest = matches[len(first) :]
    return begun + take_starters(home, rest[: max(0, room - len(begun))], "shadow")


def right_as_they_stand(home: str, settings: Config, cases: Sequence[Case]) -> Iterator[Case]:
    """Yields cases that need no edit, those with the best evidence first.

    A fix was seen, the trigger fires on what failed and on almost nothing else, and no lesson of the user or of
    the starter pack covers it. A case seen in only one session counts only if there are no others.
    """
    possible = []
    for case in cases:  # something worked: a call that was seen, or what someone wrote down
        one = case.candidate
        is_failure, is_written = one.tier == FAILURE, one.tier == WRITTEN
        if (is_failure and (one.worded or any(quote.worked for quote in one.quotes))) or (is_written and one.solution):
            possible.append(case)
    ranked = sorted(possible, key=lambda case: (-saving_of(case.candidate), case.candidate.fingerprint))
    answers = Answers(home)
    for recurring in (True, False):
        has_any = False
        some = [each for each in ranked if is_recurring(each.candidate) == recurring]
        for start in range(0, len(some), _READY_AT_ONCE):  # few are needed
            make_ready(home, some[start : start + _READY_AT_ONCE])
            for case in some[start : start + _READY_AT_ONCE]:
                has_any = has_any or case.triggers is not None
                if case.triggers is None or answers.is_left_to_another(case.candidate):
                    continue
                if _is_right(home, settings, case, case.triggers):
                    yield case
        if has_any:
            return


def _is_right(home: str, settings: Config, case: Case, triggers: Triggers) -> bool:
    known = lesson_file.read(home).lessons()
    with History.for_reading(home) as history:
        made = make_draft(history, settings, case.candidate, _SHADOW, known, case.alike)
        if made.problems or made.objections:
            return False
        if case.candidate.tier == WRITTEN:
            return True
        if triggers.session_start:
            return is_recurring(case.candidate)  # a note fires at no call, so it cannot be tested
        if made.report and made.report.others.good > _MOST_DISTURBED * made.report.hits:
            return False
        name = case.candidate.fingerprint
        return analysed(home, name, lambda: _tells_apart(history, case, triggers), lambda fault: False)


def _tells_apart(history: History, case: Case, triggers: Triggers) -> bool:
    """Whether the trigger fires on nearly all that failed, and on nothing that fixed it."""
    rule, is_early = compiled(triggers).rule, has_any(triggers, BEFORE_A_CALL)
    evidence = [each for one in (case.candidate, *case.alike) for each in one.evidence]
    failed = history.calls.past(each.tool_use_id or "" for each in evidence)
    fixed = history.calls.past(each.fix_tool_use_id or "" for each in evidence)
    verdicts = [verdict_on(rule, call, AsWanted()) for call in failed]
    caught = sum(each.why is not None and not (is_early and each.is_at_error) for each in verdicts)
    return caught >= max(1, _SHARE_OF_FAILURES * len(failed)) and not any(verdict_on(rule, call).why for call in fixed)


def promote_best(home: str, settings: Config, cases: Sequence[Case], wanted: int) -> list[FirstLesson]:
    """Promotes the first `wanted` cases that need no edit; leaves the others to the user."""
    begun: list[FirstLesson] = []
    # Anything the agent has read may have caused a tag: a person must read those first.
    unseen = [case for case in cases if case.candidate.tier == FAILURE]
    for case in right_as_they_stand(home, settings, unseen) if wanted > 0 else ():
        with suppress(Refused):  # another process was faster
            alike = [each for each in case.alike if each.tier == FAILURE]
            made = decide.promote(home, case.candidate, _SHADOW, alike)
            begun.append(of_case(made.record, case, made.report))
        if len(begun) >= wanted:
            break
    return begun
