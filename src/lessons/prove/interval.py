"""Intervals for shares and for the difference of two shares, for small numbers.

A share uses the Jeffreys prior. The difference follows Agresti and Caffo: it adds calls on each side, half of them
failed. Both stay close to their nominal coverage where the usual formulas fail: few calls, or none that failed.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

Z = 1.959963984540054  # 95 of 100 values of the normal distribution are between -Z and Z
# Calls added on each side, half of them failed. Agresti and Caffo add two, and their intervals are wide for rare
# mistakes. With this many, every case in tests/prove/test_interval.py is covered at least 92 times in 100.
_ADDED = 1.5
_PRIOR = 1.0  # failures that vary like independent calls, before any is seen
_STEPS = 60  # of a bisection: more precise than anyone needs
_TINY = 1e-300
_MOST_TERMS = 300


class Interval(NamedTuple):
    """An estimate and the range that contains the truth in 95 of 100 cases."""

    low: float
    middle: float
    high: float

    def excludes(self, value: float) -> bool:
        return not self.low <= value <= self.high


class Count(NamedTuple):
    """How many of how many calls failed."""

    failed: int
    calls: int

    def __add__(self, other: object) -> "Count":
        assert isinstance(other, Count)
        return Count(self.failed + other.failed, self.calls + other.calls)


NOTHING = Count(0, 0)


def share(count: Count) -> Interval | None:
    """Returns the share of failed calls; None if there are no calls."""
    if not count.calls:
        return None
    a, b = count.failed + 0.5, count.calls - count.failed + 0.5
    low = 0.0 if count.failed == 0 else _quantile(0.025, a, b)
    high = 1.0 if count.failed == count.calls else _quantile(0.975, a, b)
    return Interval(low, count.failed / count.calls, high)


def _sum(counts: Sequence[Count]) -> Count:
    """Sums column by column: a lesson may have thousands of sessions."""
    return Count(sum(each.failed for each in counts), sum(each.calls for each in counts))


class Stratum(NamedTuple):
    """Calls of the same kind on both sides, grouped by session: calls of one session are alike."""

    key: tuple[str, ...]
    sessions_before: tuple[Count, ...]
    sessions_after: tuple[Count, ...]

    @property
    def before(self) -> Count:
        return _sum(self.sessions_before)

    @property
    def after(self) -> Count:
        return _sum(self.sessions_after)

    @property
    def weight(self) -> float:
        """The Mantel-Haenszel weight: how much a stratum says about a difference."""
        return self.before.calls * self.after.calls / (self.before.calls + self.after.calls)

    def without_failures_after(self) -> "Stratum":
        return self._replace(sessions_after=tuple(Count(0, each.calls) for each in self.sessions_after))


class Difference(NamedTuple):
    """The share after minus the share before, and the range that contains the truth in 95 of 100 cases."""

    before: float  # both shares over the same mix of strata
    after: float
    low: float
    middle: float
    high: float

    def excludes(self, value: float) -> bool:
        return not self.low <= value <= self.high


def calls_before(strata: Sequence[Stratum]) -> Count:
    return sum((each.before for each in strata), NOTHING)


def calls_after(strata: Sequence[Stratum]) -> Count:
    return sum((each.after for each in strata), NOTHING)


def difference(strata: Sequence[Stratum]) -> Difference | None:
    """Compares within strata that have calls on both sides; returns None if there are none."""
    if not strata:
        return None
    total = sum(each.weight for each in strata)
    alike = design_effect(strata)
    # The added calls are for the whole table, spread over all strata.
    added = _ADDED / len(strata)
    # The share of a stratum is estimated from its own few calls, which then are too close to it: each loses one call.
    lost = alike * (1 - 1 / len(strata))
    lost_before, lost_after = lost * _spread(calls_before(strata)), lost * _spread(calls_after(strata))
    before = after = middle = variance = 0.0
    for each in strata:
        weight = each.weight / total
        first, second = _adjusted(each.before, added), _adjusted(each.after, added)
        before += weight * each.before.failed / each.before.calls
        after += weight * each.after.failed / each.after.calls
        middle += weight * (second - first)
        variance += weight**2 * (
            _variance(first, each.before.calls + added, lost_before)
            + _variance(second, each.after.calls + added, lost_after)
        )
    half = Z * math.sqrt(variance * alike)
    return Difference(before, after, max(-1.0, middle - half), after - before, min(1.0, middle + half))


def design_effect(strata: Sequence[Stratum]) -> float:
    """Returns how much more the calls vary than independent ones, because calls of one session are alike.

    After Rao and Scott, shrunk towards 1 while there is little data; never below 1.
    """
    seen = expected = 0.0
    for stratum in strata:
        for sessions in (stratum.sessions_before, stratum.sessions_after):
            failed, calls = _sum(sessions)
            if len(sessions) > 1:
                wrong = failed / calls
                seen += sum((each.failed - wrong * each.calls) ** 2 for each in sessions)
                apart = sum(each.calls * (1 - each.calls / calls) for each in sessions)
                expected += wrong * (1 - wrong) * calls / (calls - 1) * apart
    return max(1.0, (seen + _PRIOR) / (expected + _PRIOR))


def student(freedom: int) -> float:
    """Replaces Z where the error itself was estimated from few values."""
    x = _quantile(0.05, freedom / 2, 0.5)
    return math.sqrt(freedom * (1 - x) / x)


def _variance(wrong: float, calls: float, lost: float) -> float:
    return (wrong * (1 - wrong) + lost / calls) / calls


def _spread(count: Count) -> float:
    wrong = _adjusted(count, _ADDED)
    return wrong * (1 - wrong)


def _adjusted(count: Count, added: float) -> float:
    return (count.failed + added / 2) / (count.calls + added)


def _quantile(probability: float, a: float, b: float) -> float:
    """Returns where the beta distribution reaches the probability."""
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
    """Computes the continued fraction by Lentz's method."""
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
    """Avoids a division by zero."""
    return value if abs(value) > _TINY else _TINY
