"""Intervals for shares and for the difference of two shares, made for small numbers.

A share is taken with the prior of Jeffreys. The difference follows Agresti and Caffo: one success and one failure are
added on each side. Both keep close to what they promise where the usual formulas fail: few calls, or none that failed.
"""

import math
from typing import NamedTuple

_Z = 1.959963984540054  # of 95 %
_STEPS = 60  # of a bisection: more digits than anybody reads
_TINY = 1e-300
_MOST_TERMS = 300


class Interval(NamedTuple):
    """An estimate and the range that holds the truth in 95 of 100 cases."""

    low: float
    middle: float
    high: float

    def excludes(self, value: float) -> bool:
        return not self.low <= value <= self.high


class Count(NamedTuple):
    """How many of so many calls went wrong."""

    failed: int
    calls: int

    def __add__(self, other: object) -> "Count":
        assert isinstance(other, Count)
        return Count(self.failed + other.failed, self.calls + other.calls)


NOTHING = Count(0, 0)


def share(count: Count) -> Interval | None:
    """Of the calls that went wrong; None where there are none."""
    if not count.calls:
        return None
    a, b = count.failed + 0.5, count.calls - count.failed + 0.5
    low = 0.0 if count.failed == 0 else _quantile(0.025, a, b)
    high = 1.0 if count.failed == count.calls else _quantile(0.975, a, b)
    return Interval(low, count.failed / count.calls, high)


def difference(before: Count, after: Count) -> Interval | None:
    """What the share became less by, below 0 where it grew; None where one side has no call."""
    return pooled([(before, after)])


def pooled(strata: list[tuple[Count, Count]]) -> Interval | None:
    """The same over several strata, each compared with itself alone; those without calls on both sides say nothing."""
    compared = [(before, after) for before, after in strata if before.calls and after.calls]
    if not compared:
        return None
    weights = [before.calls * after.calls / (before.calls + after.calls) for before, after in compared]
    total = sum(weights)
    middle = variance = raw = 0.0
    for weight, (before, after) in zip(weights, compared, strict=True):
        # The added calls are those of one table, spread over all of them.
        added = 2 / len(compared)
        first, second = _adjusted(before, added), _adjusted(after, added)
        middle += weight / total * (first - second)
        raw += weight / total * (before.failed / before.calls - after.failed / after.calls)
        variance += (weight / total) ** 2 * (
            first * (1 - first) / (before.calls + added) + second * (1 - second) / (after.calls + added)
        )
    half = _Z * math.sqrt(variance)
    return Interval(max(-1.0, middle - half), raw, min(1.0, middle + half))


def _adjusted(count: Count, added: float) -> float:
    return (count.failed + added / 2) / (count.calls + added)


def _quantile(probability: float, a: float, b: float) -> float:
    """Where the beta distribution reaches the probability."""
    low, high = 0.0, 1.0
    for _ in range(_STEPS):
        middle = (low + high) / 2
        if _beta(middle, a, b) < probability:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def _beta(x: float, a: float, b: float) -> float:
    """The regularised incomplete beta function, by its continued fraction."""
    if x <= 0 or x >= 1:
        return float(x >= 1)
    front = math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x))
    if x < (a + 1) / (a + b + 2):
        return front * _fraction(x, a, b) / a
    return 1 - front * _fraction(1 - x, b, a) / b


def _fraction(x: float, a: float, b: float) -> float:
    """By Lentz's method."""
    c, d = 1.0, 1 / _away(1 - (a + b) * x / (a + 1))
    result = d
    for m in range(1, _MOST_TERMS):
        for term in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d = 1 / _away(1 + term * d)
            c = _away(1 + term / c)
            result *= d * c
        if abs(d * c - 1) < 1e-12:
            break
    return result


def _away(value: float) -> float:
    """Not zero, which nothing can be divided by."""
    return value if abs(value) > _TINY else _TINY
