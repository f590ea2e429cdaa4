"""Repeats, opportunities and activations per week, and which repeats lessons would have caught, by a replay."""

from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import date, timedelta

from lessons.config import Config
from lessons.opportunity import Opportunity
from lessons.prove.stats import by_week
from lessons.replay.replay import Failure, Watch, replayed
from lessons.replay.report import Outcome, Replayed
from lessons.report.document import CatchPeriod, CatchRate, Week
from lessons.store.history.history import History

MOST_WEEKS = 26
_WEEK = timedelta(days=7)


def monday(moment: str) -> str:
    """Returns the Monday of the week of an ISO time; empty if invalid."""
    try:
        day = date.fromisoformat(moment[:10])
    except ValueError:
        return ""
    return (day - timedelta(days=day.weekday())).isoformat()


def weeks(
    session_starts: Iterable[str],
    repeats: Iterable[str],
    opportunities: Iterable[Opportunity],
    activated: Mapping[str, str],
) -> list[Week]:
    """Returns the last weeks up to the newest record, including empty ones.

    `repeats` are the times of repeated mistakes, `activated` the time of each lesson by its slug.
    """
    sessions = Counter(map(monday, session_starts))
    repeated = Counter(map(monday, repeats))
    acted = {week.begins: week for week in by_week(opportunities, MOST_WEEKS)}
    lessons: dict[str, list[str]] = {}
    for slug, moment in sorted(activated.items()):
        lessons.setdefault(monday(moment), []).append(slug)
    named = [day for part in (sessions, repeated, acted, lessons) for day in part if day]
    if not named:
        return []
    last = date.fromisoformat(max(named))
    first = max(date.fromisoformat(min(named)), last - (MOST_WEEKS - 1) * _WEEK)
    mondays = ((first + number * _WEEK).isoformat() for number in range((last - first) // _WEEK + 1))
    return [
        Week(
            start=day,
            sessions=sessions[day],
            repeats=repeated[day],
            prevented=acted[day].prevented if day in acted else 0,
            wrong=acted[day].wrong if day in acted else 0,
            activated=lessons.get(day, []),
        )
        for day in mondays
    ]


# A replay of this many calls takes half a minute.
MOST_CALLS = 200_000
_MOST_MONTHS = 24


def catch_rate(
    history: History, settings: Config, failures: Iterable[Failure], calls: int, full: bool, watch: Watch
) -> CatchRate:
    """Replays the history, unless it is long and `full` is not set."""
    if calls > MOST_CALLS and not full:
        reason = f"not computed: the history has {calls:,} calls; `lessons report --full` replays all of them"
        return CatchRate("week", [], 0, 0, 0, 0, reason)
    sessions, _ = replayed(history, settings, lambda session: True, failures, watch)
    return over_time(sessions)


def over_time(sessions: Iterable[Replayed]) -> CatchRate:
    good_calls = false_alarms = 0
    outcomes: list[Outcome] = []
    for session in sessions:
        outcomes += session.outcomes
        good_calls += session.good_calls
        false_alarms += len(session.false_alarms)
    days = sorted(outcome.call.time[:10] for outcome in outcomes if monday(outcome.call.time))
    is_long = bool(days) and date.fromisoformat(days[-1]) - date.fromisoformat(days[0]) > MOST_WEEKS * _WEEK
    most = _MOST_MONTHS if is_long else MOST_WEEKS
    found: dict[str, Counter[str]] = {}
    for outcome in outcomes:
        start = outcome.call.time[:7] if is_long else monday(outcome.call.time)
        if start:
            found.setdefault(start, Counter())[outcome.moment] += 1
    return CatchRate(
        unit="month" if is_long else "week",
        # The last periods, without those that have no repeat.
        periods=[
            CatchPeriod(start, moments.total(), moments["call"], moments["start"], moments["error"])
            for start, moments in sorted(found.items())[-most:]
        ],
        repeats=len(outcomes),
        caught=sum(outcome.moment != "missed" for outcome in outcomes),
        good_calls=good_calls,
        false_alarms=false_alarms,
    )
