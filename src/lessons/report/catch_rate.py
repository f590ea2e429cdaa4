"""When lessons would have caught the repeats of each week or month, by a replay."""

from collections import Counter
from collections.abc import Iterable
from datetime import date
from typing import Literal

from lessons.config import Config
from lessons.replay.repeats import Failure
from lessons.replay.replay import replayed
from lessons.replay.session import Outcome, Replayed
from lessons.replay.walk import Watch
from lessons.report.document import CatchPeriod, CatchRate
from lessons.report.weeks import MOST_WEEKS, monday
from lessons.store.history.history import History

# A replay of this many calls takes a quarter of a minute.
MOST_CALLS = 200_000
_MOST_MONTHS = 24
_DAYS_IN_WEEKS = 7 * MOST_WEEKS


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
        false_alarms += session.false_alarms
    days = sorted(outcome.call.time[:10] for outcome in outcomes if monday(outcome.call.time))
    is_long = bool(days) and (date.fromisoformat(days[-1]) - date.fromisoformat(days[0])).days > _DAYS_IN_WEEKS
    unit: Literal["week", "month"] = "month" if is_long else "week"
    return CatchRate(
        unit=unit,
        periods=_periods(outcomes, unit),
        repeats=len(outcomes),
        caught=sum(outcome.moment != "missed" for outcome in outcomes),
        good_calls=good_calls,
        false_alarms=false_alarms,
    )


def _periods(outcomes: Iterable[Outcome], unit: Literal["week", "month"]) -> list[CatchPeriod]:
    """Returns the last periods, without those that have no repeat."""
    found: dict[str, Counter[str]] = {}
    for outcome in outcomes:
        start = monday(outcome.call.time) if unit == "week" else outcome.call.time[:7]
        if start:
            found.setdefault(start, Counter())[outcome.moment] += 1
    most = MOST_WEEKS if unit == "week" else _MOST_MONTHS
    return [
        CatchPeriod(start, moments.total(), moments["call"], moments["start"], moments["error"])
        for start, moments in sorted(found.items())[-most:]
    ]
