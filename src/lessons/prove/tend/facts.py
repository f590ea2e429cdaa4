"""The facts about a lesson that the rules use, and what they propose."""

from collections.abc import Callable, Sequence
from typing import Literal

import msgspec

from lessons.model import Lesson
from lessons.opportunity import Opportunity, Outcome
from lessons.prove.interval import Count

Step = Literal["activate", "stop-once", "hint", "shadow", "retire", "new-trigger"]
ActsAs = Literal["hint", "stop", "block"]
Changes = dict[str, object]  # of the record, as an edit takes them
_NO_MATCH = ("none", "missed")


class Facts(msgspec.Struct, frozen=True, kw_only=True):
    """One lesson and its outcomes since the last step, so that earlier outcomes undo no step."""

    lesson: Lesson
    acts_as: ActsAs
    rows: Sequence[Opportunity]  # in order of time
    since: str  # when it was created or last changed by a step
    now: str
    is_in_use: bool = True  # there were recent calls: otherwise nothing could have matched
    can_stop: bool = True  # the trigger fires before a call runs
    least_precision: float = 0.3  # the share of its matches that must fail for this kind of action
    programs_gone: tuple[str, ...] = ()  # all programs that it is about, if none of them is installed
    good: int = 0  # feedback of the user
    bad: int = 0
    trigger_for: Callable[[Sequence[str]], Changes | None] = lambda missed: None  # a trigger for missed calls

    @property
    def matches(self) -> list[Opportunity]:
        return [each for each in self.rows if each.decision not in _NO_MATCH]

    def came_to(self, *outcomes: Outcome) -> list[Opportunity]:
        return [each for each in self.rows if each.outcome in outcomes]


class Proposal(msgspec.Struct, frozen=True, rename="camel"):
    """A proposed step for a lesson, with reason and evidence."""

    slug: str
    lesson: str  # its id
    step: Step
    reason: str
    evidence: dict[str, object]
    changes: Changes | None  # None: the user has to change it
    summary: str = ""  # of the lesson


def proposal(facts: Facts, step: Step, reason: str, changes: Changes | None, **evidence: object) -> Proposal:
    known = {"since": facts.since, **evidence}
    return Proposal(facts.lesson.slug, facts.lesson.id, step, reason, known, changes, facts.lesson.summary)


def sessions(rows: Sequence[Opportunity]) -> int:
    return len({each.session for each in rows})


def failures(rows: Sequence[Opportunity]) -> Count:
    """Counts only calls with a known result."""
    known = [each.failed for each in rows if each.failed is not None]
    return Count(sum(known), len(known))


def calls(number: int) -> str:
    return f"{number} call{'' if number == 1 else 's'}"


def times(number: int) -> str:
    return "once" if number == 1 else f"{number} times"
