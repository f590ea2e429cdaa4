"""Repeats, opportunities and activations, one row per calendar week."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, timedelta

from lessons.opportunity import Opportunity
from lessons.prove.tally import by_week
from lessons.report.document import Week

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
    return [
        Week(
            start=day,
            sessions=sessions[day],
            repeats=repeated[day],
            prevented=acted[day].prevented if day in acted else 0,
            wrong=acted[day].wrong if day in acted else 0,
            activated=lessons.get(day, []),
        )
        for day in _mondays(named)
    ]


def _mondays(named: Sequence[str]) -> Iterator[str]:
    if not named:
        return
    last = date.fromisoformat(max(named))
    day = max(date.fromisoformat(min(named)), last - (MOST_WEEKS - 1) * _WEEK)
    while day <= last:
        yield day.isoformat()
        day += _WEEK
