"""All lessons together: the mean of their effects, and each effect shrunk towards it (partial pooling).

The weight of a lesson depends only on its numbers of calls, never on their results: otherwise a lesson that happened to
see no failure would weigh most. The width of the range depends on how the lessons differ.
"""

import math
from collections.abc import Mapping
from typing import NamedTuple

from lessons.prove.effect import Effect
from lessons.prove.interval import Interval, Z, student

_FEWEST_LESSONS = 2


class Pooled(NamedTuple):
    """The mean difference of all lessons, with its range, and the estimate for each lesson."""

    lessons: int
    mean: Interval | None  # None: fewer than two lessons are comparable
    each: dict[str, Interval]  # slug -> estimate shrunk towards the mean, more so if little is known about the lesson


class _Seen(NamedTuple):
    slug: str
    difference: float
    calls: float  # of one side, as if both had the same number
    error: float


def pool(effects: Mapping[str, Effect]) -> Pooled:
    """Pools effects by slug; skips lessons without a comparison."""
    seen = [
        _Seen(slug, found.middle, sum(each.weight for each in effect.strata), (found.high - found.low) / (2 * Z))
        for slug, effect in sorted(effects.items())
        if (found := effect.difference) is not None
    ]
    if len(seen) < _FEWEST_LESSONS:
        return Pooled(len(seen), None, {})
    variance = _variance_of_a_call(seen)
    spread = _spread(seen, variance)
    weights = [1 / (spread + variance / each.calls) for each in seen]
    total = sum(weights)
    mean = sum(weight * each.difference for weight, each in zip(weights, seen, strict=True)) / total
    error = _error_of_mean(seen, [weight / total for weight in weights], mean) or math.sqrt(1 / total)
    half = student(len(seen) - 1) * error
    interval = Interval(max(-1.0, mean - half), mean, min(1.0, mean + half))
    return Pooled(len(seen), interval, {each.slug: _drawn(each, spread, mean, len(seen)) for each in seen})


def _variance_of_a_call(seen: list[_Seen]) -> float:
    """Uses one value for all lessons, so that it does not depend on the results of one."""
    return sum(each.calls**2 * each.error**2 for each in seen) / sum(each.calls for each in seen)


def _spread(seen: list[_Seen], variance: float) -> float:
    """Estimates the variance between the true effects, after DerSimonian and Laird."""
    calls = sum(each.calls for each in seen)
    mean = sum(each.calls * each.difference for each in seen) / calls
    apart = sum(each.calls * (each.difference - mean) ** 2 for each in seen)
    return max(0.0, (apart - variance * (len(seen) - 1)) / (calls - sum(each.calls**2 for each in seen) / calls))


def _error_of_mean(seen: list[_Seen], shares: list[float], mean: float) -> float:
    """Estimates from how far the lessons are apart, after Hartung and Knapp."""
    apart = sum((share * (each.difference - mean)) ** 2 for share, each in zip(shares, seen, strict=True))
    return math.sqrt(apart / (1 - sum(share**2 for share in shares)))


def _drawn(one: _Seen, spread: float, mean: float, lessons: int) -> Interval:
    """Shrinks after Morris: never completely, because the distance between the lessons is itself an estimate."""
    own = one.error**2
    pull = max(0, lessons - 3) / (lessons - 1) * own / (own + spread)
    apart = one.difference - mean
    middle = one.difference - pull * apart
    unsure = 2 / (lessons - 3) * (pull * apart) ** 2 if lessons > 3 else 0.0
    half = Z * math.sqrt(own * (1 - (lessons - 1) / lessons * pull) + unsure)
    return Interval(max(-1.0, middle - half), middle, min(1.0, middle + half))
