"""Intervals: where there is none, their values at the edges, and how often they contain the truth."""

import math
import random

from hypothesis import given
from hypothesis import strategies as st

from lessons.prove.effect import (
    Count,
    Stratum,
    design_effect,
    difference,
)
from tests.tables import table

SMALL = st.integers(1, 60).flatmap(lambda calls: st.builds(Count, st.integers(0, calls), st.just(calls)))


def stratum(before: Count, after: Count) -> Stratum:
    """Every call in a session of its own."""

    def sessions(count: Count) -> tuple[Count, ...]:
        return (Count(1, 1),) * count.failed + (Count(0, 1),) * (count.calls - count.failed)

    return Stratum((), sessions(before), sessions(after))


def test_nothing_is_said_about_nothing() -> None:
    assert difference([]) is None


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


@table("several", [1, 3])
def test_95_of_100_hold_the_truth(several: int) -> None:
    chance = random.Random(1)

    def count(calls: int, rate: float) -> Count:
        return Count(sum(chance.random() < rate for _ in range(calls)), calls)

    held, tries = 0, 2000
    for _ in range(tries):
        rate, left = chance.choice((0.05, 0.1, 0.2, 0.35, 0.5)), chance.choice((0.1, 0.3, 0.6, 1, 1))
        sizes = [chance.randint(4, 60) for _ in range(6)]
        rates = [min(1.0, rate * (1 + 0.3 * place)) for place in range(several)]
        found = difference(
            [
                stratum(count(sizes[2 * place], one), count(sizes[2 * place + 1], one - rate * (1 - left)))
                for place, one in enumerate(rates)
            ]
        )
        assert found is not None
        held += not found.excludes(-rate * (1 - left))
    assert 0.93 <= held / tries <= 0.97
