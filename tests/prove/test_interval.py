"""Intervals: where there is none, their values at the edges, and how often they contain the truth."""

import math
import random

from hypothesis import given
from hypothesis import strategies as st

from lessons.prove.interval import (
    NOTHING,
    Count,
    Difference,
    Interval,
    Stratum,
    design_effect,
    difference,
    share,
    student,
)
from tests.tables import table

SMALL = st.integers(1, 60).flatmap(lambda calls: st.builds(Count, st.integers(0, calls), st.just(calls)))
COUNTS = st.integers(1, 10_000).flatmap(lambda calls: st.builds(Count, st.integers(0, calls), st.just(calls)))


def stratum(before: Count, after: Count) -> Stratum:
    """Every call in a session of its own."""

    def sessions(count: Count) -> tuple[Count, ...]:
        return (Count(1, 1),) * count.failed + (Count(0, 1),) * (count.calls - count.failed)

    return Stratum((), sessions(before), sessions(after))


def test_nothing_is_said_about_nothing() -> None:
    assert share(NOTHING) is None
    assert difference([]) is None


@table(
    ("count", "low", "high"),
    [
        (Count(0, 10), 0.0, 0.2172),
        (Count(10, 10), 0.7828, 1.0),
        (Count(3, 10), 0.0927, 0.6058),
        (Count(50, 100), 0.4032, 0.5968),
    ],
)
def test_share_with_the_prior_of_jeffreys(count: Count, low: float, high: float) -> None:
    found = share(count)
    assert found is not None
    assert (round(found.low, 4), round(found.high, 4)) == (low, high)


@given(COUNTS)
def test_share_lies_around_what_was_seen(count: Count) -> None:
    found = share(count)
    assert found is not None
    assert 0 <= found.low <= found.middle <= found.high <= 1


@given(SMALL, SMALL)
def test_difference_is_the_other_way_round_the_other_way_round(before: Count, after: Count) -> None:
    there, back = difference([stratum(before, after)]), difference([stratum(after, before)])
    assert there is not None
    assert back is not None
    assert -1 <= there.low <= there.high <= 1
    assert abs(there.low + back.high) < 1e-9


def test_many_calls_of_few_sessions_say_less_than_as_many_sessions() -> None:
    alike = Stratum((), (Count(10, 10), Count(0, 10), Count(10, 10)), (Count(0, 10), Count(10, 10), Count(0, 10)))
    apart = stratum(Count(20, 30), Count(10, 30))
    assert round(design_effect([apart]), 6) == 1
    assert design_effect([alike]) > 5
    wide, narrow = difference([alike]), difference([apart])
    assert wide is not None
    assert narrow is not None
    assert wide.high - wide.low > 2 * (narrow.high - narrow.low)


def chances(calls: int, rate: float) -> list[float]:
    return [math.comb(calls, failed) * rate**failed * (1 - rate) ** (calls - failed) for failed in range(calls + 1)]


@table(
    ("calls_before", "calls_after", "rate", "left"),
    [
        (8, 8, 0.5, 1.0),
        (8, 30, 0.3, 0.5),
        (12, 40, 0.2, 1.0),
        (20, 20, 0.1, 0.3),
        (20, 25, 0.6, 0.2),
        (25, 10, 0.8, 0.7),
        (30, 30, 0.05, 0.2),
        (30, 15, 0.02, 1.0),
        (30, 30, 0.35, 0.6),
    ],
)
def test_no_difference_is_held_less_than_92_times_in_100(
    calls_before: int, calls_after: int, rate: float, left: float
) -> None:
    """Exact: over every pair of numbers of failures, each with its chance."""
    held = 0.0
    for failed_before, chance_before in enumerate(chances(calls_before, rate)):
        for failed_after, chance_after in enumerate(chances(calls_after, rate * left)):
            chance = chance_before * chance_after
            if chance > 1e-6:
                found = difference([stratum(Count(failed_before, calls_before), Count(failed_after, calls_after))])
                assert found is not None
                held += chance * (not found.excludes(rate * left - rate))
    assert held >= 0.92


@table(("freedom", "value"), [(1, 12.7062), (2, 4.3027), (9, 2.2622), (29, 2.0452)])
def test_student(freedom: int, value: float) -> None:
    assert round(student(freedom), 4) == value


@table("kind", ["share", "difference", "strata"])
def test_95_of_100_hold_the_truth(kind: str) -> None:
    chance = random.Random(1)

    def count(calls: int, rate: float) -> Count:
        return Count(sum(chance.random() < rate for _ in range(calls)), calls)

    held, tries = 0, 2000
    found: Interval | Difference | None
    for _ in range(tries):
        rate, left = chance.choice((0.05, 0.1, 0.2, 0.35, 0.5)), chance.choice((0.1, 0.3, 0.6, 1, 1))
        sizes = [chance.randint(4, 60) for _ in range(6)]
        if kind == "share":
            found, truth = share(count(sizes[0], rate)), rate
        else:
            several = 1 if kind == "difference" else 3
            rates = [min(1.0, rate * (1 + 0.3 * place)) for place in range(several)]
            strata = [
                stratum(count(sizes[2 * place], one), count(sizes[2 * place + 1], one - rate * (1 - left)))
                for place, one in enumerate(rates)
            ]
            found, truth = difference(strata), -rate * (1 - left)
        assert found is not None
        held += not found.excludes(truth)
    assert 0.93 <= held / tries <= 0.97
