"""What all lessons did together: their mean effect, the effect of withheld hints, and what was saved."""

import os
from typing import NamedTuple

from lessons import config, paths
from lessons.ledger.acts_as import acts_as
from lessons.ledger.stats import LessonStats, Stats
from lessons.prove.effect import Saved, saved
from lessons.prove.holdout import Holdout, holdout_effect
from lessons.prove.interval import Difference, Interval
from lessons.prove.measure import measured
from lessons.prove.pooling import Pooled, pool
from lessons.store.history.history import History


class Summary(NamedTuple):
    pooled: Pooled
    holdout: Holdout
    saved: Saved


def summary_of(home: str, found: Stats) -> Summary:
    rate = config.load(home).holdout_rate
    hints = [one for one in found.lessons if acts_as(one.lesson) == "hint"]
    tried = [each for one in hints for each in measured(one.opportunities, is_hint=True)]
    costs = cost_of_failure(home)
    each = [saved(one.effect, *costs) for one in found.lessons]
    return Summary(pool({one.slug: one.effect for one in found.lessons}), holdout_effect(tried, rate), _added(each))


def cost_of_failure(home: str) -> tuple[float, float]:
    """Returns the mean calls and minutes from a failed call to the one that worked, over the history."""
    if not os.path.exists(paths.history_file(home)):
        return 0.0, 0.0
    with History.for_reading(home) as history:
        return history.episodes.mean_cost()


def _added(each: list[Saved]) -> Saved:
    """Adds the ranges, which is wider than the range of the sum."""
    calls = (sum(one.calls[0] for one in each), sum(one.calls[1] for one in each))
    minutes = (sum(one.minutes[0] for one in each), sum(one.minutes[1] for one in each))
    return Saved(calls, minutes)


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
        "saved": saved_document(summary.saved),
    }


def saved_document(found: Saved) -> dict[str, object]:
    return {
        "calls": {"low": round(found.calls[0], 1), "high": round(found.calls[1], 1)},
        "minutes": {"low": round(found.minutes[0], 1), "high": round(found.minutes[1], 1)},
    }


def sentences(summary: Summary, is_withholding: bool) -> list[str]:
    """Returns at most four lines for a terminal; none without data."""
    found = []
    if (mean := summary.pooled.mean) is not None:
        found.append(f"{summary.pooled.lessons:,} lessons compared: {_per_hundred(mean)}")
        calls, minutes = summary.saved
        found.append(f"Saved: {_range(calls)} calls, {_range(minutes)} minutes (95 % range)")
    held = summary.holdout
    if held.difference is not None:
        found.append(f"Withheld hints: {_per_hundred(held.difference)}")
    if held.difference is not None or is_withholding:
        more = f"; about {held.more_sessions:,} more sessions until it can tell" if held.more_sessions else ""
        hints = "  the hints: " if held.difference is not None else "Withheld hints: "
        found.append(f"{hints}{held.verdict}{more}")
    return found


def _per_hundred(found: Interval | Difference) -> str:
    middle, low, high = (f"{100 * value:+.0f}" for value in (found.middle, found.low, found.high))
    return f"{middle} mistakes per 100 matches (95 % range: {low} to {high})"


def _range(ends: tuple[float, float]) -> str:
    return f"{round(ends[0]):,} to {round(ends[1]):,}"


def drawn(summary: Summary, one: LessonStats) -> dict[str, object] | None:
    """Returns the estimate of one lesson, shrunk towards the others."""
    found = summary.pooled.each.get(one.slug)
    return _interval(found) if found else None


def _interval(found: Interval | Difference | None) -> dict[str, object]:
    return {
        "difference": found and round(found.middle, 4),
        "low": found and round(found.low, 4),
        "high": found and round(found.high, 4),
    }
