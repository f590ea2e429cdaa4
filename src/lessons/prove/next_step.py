"""The next step of a lesson: the facts about it, and the rules that propose one, in order."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Literal

import msgspec

from lessons.model import Lesson
from lessons.opportunity import Opportunity, Outcome
from lessons.promote.backtest import wilson
from lessons.prove.effect import Count

Step = Literal["activate", "stop-once", "hint", "shadow", "retire", "new-trigger", "new-text"]
ActsAs = Literal["hint", "stop", "block"]
Changes = dict[str, object]  # of the record, as an edit takes them

_FEWEST_SESSIONS = 2
_FEWEST_IN_SHADOW = 5
_FEWEST_UNREAD = 20
_NEAR_ZERO = 0.14  # the upper end of the share of calls that fail: none of 24, or one of 37
_FEWEST_IGNORED = 3
_LEAST_PRECISION = 0.6  # of a stop, as for a lesson that stops from the beginning
_FEWEST_MISSES = 2
_SHOWN_CALLS = 5
_MOST_WRONG: dict[ActsAs, float] = {"block": 0.1, "stop": 0.4, "hint": 1.0}
_FEWEST_WRONG: dict[ActsAs, int] = {"block": 2, "stop": 3, "hint": 2}
_NEARLY_ALL = 0.8  # wrong so often that even a hint would only disturb
_WEEKS_WITHOUT_A_MATCH = 12
_WEEKS_WITHOUT_PROGRAM = 2  # a program may be missing for a day, in a container or during an update
_DAYS_OF_A_WEEK = 7


class Occurrences(msgspec.Struct, frozen=True, kw_only=True):
    """New occurrences of the mistake of a lesson, as the lesson would have met them."""

    missed: Sequence[str] = ()  # failed calls on which it fires neither before nor after
    sessions: int = 0  # of the missed ones
    caught: int = 0
    alarmed: Sequence[str] = ()  # calls that worked instead, on which it fires
    outdated: str = ""  # why its text does not hold
    revised: Callable[[], Changes | None] = lambda: None  # a trigger and a text that are better, if there are any


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
    occurrences: Occurrences = Occurrences()

    @property
    def matches(self) -> list[Opportunity]:
        return [each for each in self.rows if each.decision not in ("none", "missed")]

    @property
    def last_match(self) -> str:
        return max((each.time for each in self.matches), default="")

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


def next_step(facts: Facts) -> Proposal | None:
    """Returns None if the lesson should stay as it is, or is already retired."""
    if facts.lesson.stage == "retired":
        return None
    return next((found for rule in _RULES if (found := rule(facts))), None)


def weeks_between(earlier: str, later: str) -> int | None:
    """Returns whole weeks; None if one of the times is invalid."""
    try:
        apart = datetime.fromisoformat(later) - datetime.fromisoformat(earlier)
    except (ValueError, TypeError):
        return None
    return apart.days // _DAYS_OF_A_WEEK


def _step_down(facts: Facts) -> Proposal | None:
    """Weaken: a stop or block that hinders good calls, or a lesson that the user calls bad."""
    if facts.lesson.stage != "active":
        return None
    alarms = len(facts.came_to("falseAlarm")) if facts.acts_as != "hint" else 0
    overrides, bad = len(facts.came_to("overridden")), max(0, facts.bad - facts.good)
    right = len(facts.came_to("stoppedCorrected", "stoppedRepeated"))
    wrong = alarms + overrides + bad
    judged = wrong + right
    if wrong < _FEWEST_WRONG[facts.acts_as] or wrong < _MOST_WRONG[facts.acts_as] * judged:
        return None
    to_shadow = facts.acts_as == "hint" or wrong >= _NEARLY_ALL * judged
    step: Step = "shadow" if to_shadow else "hint"
    no_denial: Changes = {"block": False} if facts.acts_as == "block" else {"stopOnce": None}
    changes: Changes = {"stage": "shadow"} if to_shadow else no_denial
    seen = [
        f"stopped a good call {_times(alarms)}" if alarms else "",
        f"was overridden {_times(overrides)}" if overrides else "",
        f"was called bad {_times(bad)}" if bad else "",
    ]
    of = f"Of {_calls(judged)}, it" if facts.acts_as != "hint" else "It"
    reason = f"{of} {' and '.join(filter(None, seen))}: {'put it into shadow' if to_shadow else 'only hint'}."
    evidence = {"falseAlarms": alarms, "overridden": overrides, "bad": bad, "judged": judged}
    return _proposal(facts, step, reason, changes, **evidence)


def _program_gone(facts: Facts) -> Proposal | None:
    """Retire: the program that it is about is no longer installed."""
    last = facts.last_match
    weeks = weeks_between(last or facts.since, facts.now)
    if not facts.programs_gone or weeks is None or weeks < _WEEKS_WITHOUT_PROGRAM:
        return None
    names = ", ".join(facts.programs_gone)
    reason = f"{names} is not installed, and no call has matched it for {weeks} weeks: retire it."
    evidence = {"programs": list(facts.programs_gone), "lastMatch": last or None}
    return _proposal(facts, "retire", reason, {"stage": "retired"}, **evidence)


def _not_needed(facts: Facts) -> Proposal | None:
    """Retire: current models do not make the mistake, even without reading the lesson."""
    newest = {each.agent: each.model for each in facts.matches}
    unread = [
        each for each in facts.matches if each.decision in ("shadow", "held-out") and each.model == newest[each.agent]
    ]
    seen = _failures(unread)
    made = wilson(*seen)
    if seen.calls < _FEWEST_UNREAD or made.high > _NEAR_ZERO:
        return None
    models = ", ".join(sorted({each.model for each in unread if each.model})) or "today's models"
    reason = f"Without it, {models} made the mistake at {seen.failed} of {_calls(seen.calls)}: retire it."
    evidence = {"failed": seen.failed, "calls": seen.calls, "high": round(made.high, 3)}
    return _proposal(facts, "retire", reason, {"stage": "retired"}, **evidence)


def _called_into_question(facts: Facts) -> Proposal | None:
    """New trigger or text: its mistake was made where it does not fire, it fires on what worked, or its text is wrong.

    Without a better one, the user is asked to write it only if it misses more than it catches.
    """
    seen = facts.occurrences
    if not (seen.missed or seen.alarmed or seen.outdated):
        return None
    changes, missed = seen.revised(), len(seen.missed)
    if not changes and (missed < _FEWEST_MISSES or seen.sessions < _FEWEST_SESSIONS or missed <= seen.caught):
        return None
    found = [
        f"its mistake was made {_times(missed)} where it does not fire" if missed else "",
        f"it fires on {_calls(len(seen.alarmed))} that worked instead" if seen.alarmed else "",
        seen.outdated,
    ]
    is_trigger = changes is None or "triggers" in changes
    what = ("this trigger" if is_trigger else "") + (" and " if is_trigger and seen.outdated else "")
    then = f"take {what}{'this text' if seen.outdated else ''}" if changes else "change its trigger with `lessons edit`"
    reason = f"Since then {', and '.join(filter(None, found))}: {then}."
    evidence = {"missed": missed, "caught": seen.caught, "alarmed": len(seen.alarmed)}
    calls = [*seen.missed, *seen.alarmed][:_SHOWN_CALLS]
    return _proposal(facts, "new-trigger" if is_trigger else "new-text", reason, changes, **evidence, calls=calls)


def _stop_once(facts: Facts) -> Proposal | None:
    """Hint to stop once: agents read the hint and make the mistake anyway."""
    if facts.lesson.stage != "active" or facts.acts_as != "hint" or not facts.can_stop or facts.bad > facts.good:
        return None
    ignored, heeded = facts.came_to("ignoredFailed"), facts.came_to("heeded")
    if len(ignored) < _FEWEST_IGNORED or _sessions(ignored) < _FEWEST_SESSIONS or len(ignored) <= len(heeded):
        return None
    seen = _failures(facts.matches)
    if not seen.calls or seen.failed < _LEAST_PRECISION * seen.calls:
        return None
    reason = f"Its hint was ignored {_times(len(ignored))} and heeded {_times(len(heeded))}: stop such a call once."
    evidence = {"ignored": len(ignored), "heeded": len(heeded), "failed": seen.failed, "calls": seen.calls}
    return _proposal(facts, "stop-once", reason, {"stopOnce": True}, **evidence)


def _activate(facts: Facts) -> Proposal | None:
    """Shadow to active: enough of the calls that it matched in shadow failed."""
    matched = [each for each in facts.matches if each.decision == "shadow"]
    seen = _failures(matched)
    precision = wilson(*seen)
    if facts.lesson.stage != "shadow" or precision.value is None:
        return None
    if seen.calls < _FEWEST_IN_SHADOW or _sessions(matched) < _FEWEST_SESSIONS or facts.bad > facts.good:
        return None
    # The lower end may be below the required value, or rare mistakes would stay in shadow for months.
    if precision.value < facts.least_precision or precision.low < facts.least_precision / 2:
        return None
    reason = f"In shadow {seen.failed} of {_calls(seen.calls)} that it matched failed: activate it."
    evidence = {"failed": seen.failed, "calls": seen.calls, "low": round(precision.low, 3)}
    return _proposal(facts, "activate", reason, {"stage": None}, **evidence)


def _no_match(facts: Facts) -> Proposal | None:
    """Retire: nothing has matched its trigger for a long time, although agents were active."""
    last = facts.last_match
    weeks = weeks_between(last or facts.since, facts.now)
    if not facts.is_in_use or weeks is None or weeks < _WEEKS_WITHOUT_A_MATCH:
        return None
    reason = f"No call has matched it for {weeks} weeks: retire it."
    return _proposal(facts, "retire", reason, {"stage": "retired"}, lastMatch=last or None, weeks=weeks)


# Harmful lessons first; the first rule that proposes something wins.
_RULES: tuple[Callable[[Facts], Proposal | None], ...] = (
    _step_down,
    _program_gone,
    _not_needed,
    _called_into_question,
    _stop_once,
    _activate,
    _no_match,
)


def _proposal(facts: Facts, step: Step, reason: str, changes: Changes | None, **evidence: object) -> Proposal:
    known = {"since": facts.since, **evidence}
    return Proposal(facts.lesson.slug, facts.lesson.id, step, reason, known, changes, facts.lesson.summary)


def _sessions(rows: Sequence[Opportunity]) -> int:
    return len({each.session for each in rows})


def _failures(rows: Sequence[Opportunity]) -> Count:
    """Counts only calls with a known result."""
    known = [each.failed for each in rows if each.failed is not None]
    return Count(sum(known), len(known))


def _calls(number: int) -> str:
    return f"{number} call{'' if number == 1 else 's'}"


def _times(number: int) -> str:
    return "once" if number == 1 else f"{number} times"


def acts_as(lesson: Lesson) -> ActsAs:
    if is_about_missing(lesson):
        return "hint"
    return "block" if lesson.block else "stop" if lesson.stop_once else "hint"


def is_about_missing(lesson: Lesson) -> bool:
    """Whether the lesson is about a missing program: such a lesson only ever hints."""
    return lesson.triggers.when is not None and bool(lesson.triggers.when.missing)
