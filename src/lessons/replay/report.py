"""The figures of a whole replay, and the sentence that sums it up."""

from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Literal, NamedTuple

import msgspec

from lessons.store.history.past_calls import SessionCall

_MOST_EXAMPLES = 5

CaughtAt = Literal["call", "start", "error", "missed"]
Why = Literal["", "no trigger", "refused", "scope", "trigger too narrow", "learned too late", "state unknown"]


class Repeat(NamedTuple):
    """A failed call whose mistake was made in another session before."""

    tool_use_id: str
    mistake: str
    is_learnable: bool  # another session with it had ended before this one started


class Outcome(NamedTuple):
    """When a lesson would have caught a repeated mistake, or why it was missed."""

    repeat: Repeat
    call: SessionCall
    moment: CaughtAt
    why: Why = ""


class LessonName(NamedTuple):
    """A lesson that a replay made, and the candidate that it was made of."""

    slug: str
    fingerprint: str
    summary: str


class Replayed(msgspec.Struct):
    """What would have happened in one session."""

    outcomes: list[Outcome]
    good_calls: int = 0
    false_alarms: dict[str, list[LessonName]] = {}  # by good call, the lessons that fire before it runs
    alarms: int = 0  # calls at which a lesson fires before they run, whatever their outcome


class PerMistake(msgspec.Struct, frozen=True):
    """Means over the mistakes, each counting once however often it was repeated."""

    caught: float
    at_call: float = msgspec.field(name="atCall")


class MistakeReport(msgspec.Struct, frozen=True, rename="camel"):
    """One mistake; `why` is the most frequent reason for the misses."""

    fingerprint: str
    repeats: int
    at_call: int
    at_start: int
    at_error: int
    missed: int
    why: str
    summary: str


class MissedRepeat(msgspec.Struct, frozen=True, rename="camel"):
    """One repeat that no lesson would have caught."""

    fingerprint: str
    why: str
    tool_use_id: str
    time: str
    cwd: str
    command: str  # for other tools their name


class FalseAlarms(msgspec.Struct, frozen=True, rename="camel"):
    """The good calls at which one lesson fires; at some of them another one may fire too."""

    slug: str
    fingerprint: str
    summary: str
    false_alarms: int
    examples: list[str]  # ids of such calls


class ReplayReport(msgspec.Struct, frozen=True, rename="camel"):
    """The keys of the contract first, in its order."""

    repeats: int
    caught_at_call: int
    noted_at_start: int
    caught_at_error: int
    missed: int
    per_mistake: PerMistake
    good_calls: int
    false_alarms: int
    alarms_per_session: float
    unknown: int  # missed repeats at which a lesson would fire if its conditions on the machine's state held
    mistakes: list[MistakeReport]
    since: str  # when the first counted session started
    sessions: int  # those that repeat a mistake or start when lessons exist; good calls and alarms are counted in them
    false_alarms_by: list[FalseAlarms]
    missed_repeats: list[MissedRepeat]

    @property
    def caught(self) -> int:
        return self.repeats - self.missed


def report_of(replayed: Iterable[Replayed], summaries: Mapping[str, str], since: str) -> ReplayReport:
    sessions = list(replayed)
    outcomes = [outcome for session in sessions for outcome in session.outcomes]
    moments = Counter(outcome.moment for outcome in outcomes)
    by_mistake: dict[str, list[Outcome]] = {}
    for outcome in outcomes:
        by_mistake.setdefault(outcome.repeat.mistake, []).append(outcome)
    mistakes = [_mistake(name, found, summaries.get(name, "")) for name, found in by_mistake.items()]
    return ReplayReport(
        repeats=len(outcomes),
        caught_at_call=moments["call"],
        noted_at_start=moments["start"],
        caught_at_error=moments["error"],
        missed=moments["missed"],
        per_mistake=_means(mistakes),
        good_calls=sum(session.good_calls for session in sessions),
        false_alarms=sum(len(session.false_alarms) for session in sessions),
        alarms_per_session=round(sum(session.alarms for session in sessions) / max(1, len(sessions)), 3),
        unknown=sum(outcome.why == "state unknown" for outcome in outcomes),
        mistakes=sorted(mistakes, key=lambda each: (-each.missed, -each.repeats, each.fingerprint)),
        since=since,
        sessions=len(sessions),
        false_alarms_by=_by_lesson(sessions),
        missed_repeats=[_missed(outcome) for outcome in outcomes if outcome.moment == "missed"],
    )


def _mistake(name: str, outcomes: list[Outcome], summary: str) -> MistakeReport:
    moments = Counter(outcome.moment for outcome in outcomes)
    reasons = Counter(outcome.why for outcome in outcomes if outcome.why)
    why = min(reasons, key=lambda reason: (-reasons[reason], reason), default="")
    at_call, at_start, at_error = moments["call"], moments["start"], moments["error"]
    return MistakeReport(name, len(outcomes), at_call, at_start, at_error, moments["missed"], why, summary)


def _by_lesson(sessions: Iterable[Replayed]) -> list[FalseAlarms]:
    """Names the lessons behind the false alarms, the worst first."""
    calls: dict[LessonName, list[str]] = {}
    for session in sessions:
        for call, lessons in session.false_alarms.items():
            for lesson in lessons:
                calls.setdefault(lesson, []).append(call)
    worst = sorted(calls.items(), key=lambda each: (-len(each[1]), each[0]))
    return [FalseAlarms(*lesson, len(found), found[:_MOST_EXAMPLES]) for lesson, found in worst]


def _means(mistakes: list[MistakeReport]) -> PerMistake:
    number = max(1, len(mistakes))
    caught = sum((each.repeats - each.missed) / each.repeats for each in mistakes)
    at_call = sum(each.at_call / each.repeats for each in mistakes)
    return PerMistake(round(caught / number, 3), round(at_call / number, 3))


def _missed(outcome: Outcome) -> MissedRepeat:
    call = outcome.call
    return MissedRepeat(
        outcome.repeat.mistake, outcome.why, call.tool_use_id, call.time, call.cwd, call.command or call.tool
    )


def headline(report: ReplayReport) -> str:
    """Returns an empty string if no mistake was repeated: then nothing could have been caught."""
    if not report.repeats:
        return ""
    alarms = f"{report.false_alarms:,} false alarm{'' if report.false_alarms == 1 else 's'}"
    mistakes = f"{report.repeats:,} repeated mistake{'' if report.repeats == 1 else 's'}"
    since = f"Had `lessons` been on since {_month(report.since)}"
    # After the error the call has failed already: that is not a mistake prevented.
    done = [f"caught {report.caught_at_call:,} of {mistakes} at the call"]
    done += [f"noted {report.noted_at_start:,} more at session start"] if report.noted_at_start else []
    done += [f"given advice after the error of {report.caught_at_error:,} more"] if report.caught_at_error else []
    said = " and ".join(filter(None, [", ".join(done[:-1]), done[-1]]))
    return f"{since}, it would have {said}, with {alarms}."


def _month(moment: str) -> str:
    try:
        return f"{datetime.fromisoformat(moment):%B %Y}"
    except ValueError:
        return "the start"
