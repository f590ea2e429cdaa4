"""What the lessons and the memory of a data home did, for lessons stats, the report and the weekly line."""

import os
from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from typing import NamedTuple

import msgspec

from lessons import config, paths
from lessons.model import Lesson
from lessons.opportunity import RECALL, Opportunity, Outcome
from lessons.prove.effect import (
    Difference,
    Effect,
    Holdout,
    Pooled,
    effect_of,
    holdout_effect,
    measured,
    pool,
)
from lessons.prove.next_step import acts_as
from lessons.prove.opportunities import lessons_of, sessions_learned_from
from lessons.store import injection_files
from lessons.store.history.history import History

_NO_MATCH = ("none", "missed")
_PREVENTED: tuple[Outcome, ...] = ("heeded", "stoppedCorrected")
_WRONG: tuple[Outcome, ...] = ("falseAlarm", "overridden")
_DAYS_OF_A_WEEK = 7


class Tally(msgspec.Struct, frozen=True, rename="camel"):
    """The outcomes of the opportunities since the lessons were created."""

    opportunities: int = 0  # matches, including shadow
    shown: int = 0  # the agent could read the lesson
    heeded: int = 0
    ignored_failed: int = 0
    false_alarms: int = 0
    stopped_corrected: int = 0
    stopped_repeated: int = 0
    overridden: int = 0
    held_out: int = 0
    missed: int = 0
    not_delivered: int = 0
    unknown: int = 0
    shadow_failed: int = 0  # matches in shadow at which the mistake was made
    shadow_fine: int = 0

    @property
    def prevented(self) -> int:
        """Mistakes that were not repeated once the agent had read the lesson."""
        return self.heeded + self.stopped_corrected

    @property
    def wrong(self) -> int:
        """Times that the lesson hindered a correct call."""
        return self.false_alarms + self.overridden


class Week(msgspec.Struct, frozen=True):
    begins: str  # the Monday
    shown: int
    prevented: int
    wrong: int
    mistakes: int  # made with or without a lesson


def tally(opportunities: Iterable[Opportunity]) -> Tally:
    since = [each for each in opportunities if each.decision != "none"]
    outcomes = Counter(each.outcome for each in since)
    in_shadow = Counter(each.failed for each in since if each.decision == "shadow")
    return Tally(
        opportunities=sum(each.decision not in _NO_MATCH for each in since),
        shown=sum(each.is_active for each in since),
        heeded=outcomes["heeded"],
        ignored_failed=outcomes["ignoredFailed"],
        false_alarms=outcomes["falseAlarm"],
        stopped_corrected=outcomes["stoppedCorrected"],
        stopped_repeated=outcomes["stoppedRepeated"],
        overridden=outcomes["overridden"],
        held_out=outcomes["heldOut"],
        missed=outcomes["missed"],
        not_delivered=outcomes["notDelivered"],
        unknown=outcomes["unknown"],
        shadow_failed=in_shadow[True],
        shadow_fine=in_shadow[False],
    )


def by_week(opportunities: Iterable[Opportunity], most: int) -> list[Week]:
    """Returns the weeks up to the last with any event, including empty ones; at most `most`."""
    found: dict[date, list[Opportunity]] = {}
    for each in opportunities:
        if monday := _monday(each.time[:10]):
            found.setdefault(monday, []).append(each)
    if not found:
        return []
    last = max(found)
    count = min(most, (last - min(found)).days // _DAYS_OF_A_WEEK + 1)
    mondays = [last - timedelta(days=_DAYS_OF_A_WEEK * back) for back in reversed(range(count))]
    return [_week(monday, found.get(monday, ())) for monday in mondays]


def _week(monday: date, some: Sequence[Opportunity]) -> Week:
    return Week(
        begins=monday.isoformat(),
        shown=sum(each.is_active for each in some),
        prevented=sum(each.outcome in _PREVENTED for each in some),
        wrong=sum(each.outcome in _WRONG for each in some),
        mistakes=sum(each.failed is True for each in some),
    )


@lru_cache(maxsize=2000)
def _monday(day_of_time: str) -> date | None:
    try:
        day = date.fromisoformat(day_of_time)
    except ValueError:
        return None
    return day - timedelta(days=day.weekday())


MOST_WEEKS = 12


class LessonStats(msgspec.Struct, frozen=True):
    lesson: Lesson
    tally: Tally
    effect: Effect
    weeks: list[Week]
    opportunities: list[Opportunity]

    @property
    def slug(self) -> str:
        return self.lesson.slug


class MemoryStats(msgspec.Struct, frozen=True):
    """What the recalls did, all together."""

    tally: Tally = Tally()
    weeks: list[Week] = []


class Stats(msgspec.Struct, frozen=True):
    """What all lessons and memory did, lessons that did most first; skips lessons that never matched."""

    since: str
    totals: Tally
    lessons: list[LessonStats]
    weeks: list[Week]
    memory: MemoryStats | None = None  # None: asked about one lesson
    is_scanned: bool = True  # False: there is no history yet
    uncounted: int = 0  # events that the hook logged since the last scan
    this_week: Tally = Tally()  # the last seven days


def stats_of(home: str, lesson: str = "", since: str = "") -> Stats:
    """Reports on one lesson by its id, or on all; `since` limits the counts, the effect covers everything."""
    uncounted = injection_files.count_new(home)
    if not os.path.exists(paths.history_file(home)):
        return Stats(since, Tally(), [], [], None if lesson else MemoryStats(), is_scanned=False, uncounted=uncounted)
    with History.for_reading(home) as history:
        return _stats(history, lesson, since, uncounted)


def _stats(history: History, lesson: str, since: str, uncounted: int) -> Stats:
    rows: dict[str, list[Opportunity]] = {}
    for each in history.ledger.opportunities(lesson):
        rows.setdefault(each.lesson, []).append(each)
    lessons = [each for each in lessons_of(history.home) if each.id in rows]
    learned = sessions_learned_from(history, lessons)
    found = [_of_lesson(each, rows[each.id], learned[each.id], since) for each in lessons]
    everything = [*(each for one in found for each in one.opportunities), *([] if lesson else history.ledger.recalls())]
    week, counted = ([each for each in everything if each.time >= moment] for moment in (week_ago(), since))
    found.sort(key=lambda one: (-one.tally.prevented, -one.tally.shown, -one.tally.opportunities, one.slug))
    recalls = [each for each in counted if each.slug == RECALL]
    memory = None if lesson else MemoryStats(tally(recalls), by_week(recalls, MOST_WEEKS))
    return Stats(
        since, tally(counted), found, by_week(counted, MOST_WEEKS), memory, uncounted=uncounted, this_week=tally(week)
    )


def week_ago() -> str:
    """Returns the time at which the last seven days began."""
    return f"{datetime.now(UTC) - timedelta(days=_DAYS_OF_A_WEEK):%Y-%m-%dT%H:%M:%S}"


def _of_lesson(lesson: Lesson, rows: list[Opportunity], learned: frozenset[str], since: str) -> LessonStats:
    counted = [each for each in rows if each.time >= since]
    effect = effect_of(measured(rows, acts_as(lesson) == "hint"), learned)
    return LessonStats(lesson, tally(counted), effect, by_week(counted, MOST_WEEKS), rows)


class Summary(NamedTuple):
    pooled: Pooled
    holdout: Holdout


def summary_of(home: str, found: Stats) -> Summary:
    rate = config.load(home).holdout_rate
    hints = [one for one in found.lessons if acts_as(one.lesson) == "hint"]
    tried = [each for one in hints for each in measured(one.opportunities, is_hint=True)]
    return Summary(pool(one.effect for one in found.lessons), holdout_effect(tried, rate))


def document(summary: Summary) -> dict[str, object]:
    held = summary.holdout
    return {
        "pooled": {"lessons": summary.pooled.lessons, **_interval(summary.pooled.mean)},
        "holdout": {
            "withheld": held.without.calls,
            "shown": held.shown.calls,
            **_interval(held.difference),
            "verdict": held.verdict,
            "moreSessions": held.more_sessions,
        },
    }


def sentences(summary: Summary, is_withholding: bool) -> list[str]:
    """Returns at most three lines for a terminal; none without data."""
    found = []
    if (mean := summary.pooled.mean) is not None:
        found.append(f"{summary.pooled.lessons:,} lessons compared: {_per_hundred(mean)}")
    held = summary.holdout
    if held.difference is not None:
        found.append(f"Withheld hints: {_per_hundred(held.difference)}")
    if held.difference is not None or is_withholding:
        more = f"; about {held.more_sessions:,} more sessions until it can tell" if held.more_sessions else ""
        hints = "  the hints: " if held.difference is not None else "Withheld hints: "
        found.append(f"{hints}{held.verdict}{more}")
    return found


def _per_hundred(found: Difference) -> str:
    middle, low, high = (f"{100 * value:+.0f}" for value in (found.middle, found.low, found.high))
    return f"{middle} mistakes per 100 matches (95 % range: {low} to {high})"


def _interval(found: Difference | None) -> dict[str, object]:
    return {
        "difference": found and round(found.middle, 4),
        "low": found and round(found.low, 4),
        "high": found and round(found.high, 4),
    }
