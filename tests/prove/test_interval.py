"""Intervals: where there is none, what they are at the edges, and how often they hold the truth."""

import random

from hypothesis import given
from hypothesis import strategies as st

from lessons.prove.interval import NOTHING, Count, difference, pooled, share
from tests.tables import table

COUNTS = st.integers(1, 10_000).flatmap(lambda calls: st.builds(Count, st.integers(0, calls), st.just(calls)))


def test_nothing_is_said_about_nothing() -> None:
    assert share(NOTHING) is None
    assert difference(NOTHING, Count(1, 2)) is None
    assert pooled([(Count(1, 2), NOTHING), (NOTHING, Count(1, 2))]) is None


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


@given(COUNTS, COUNTS)
def test_difference_is_the_other_way_round_the_other_way_round(before: Count, after: Count) -> None:
    there, back = difference(before, after), difference(after, before)
    assert there is not None
    assert back is not None
    assert -1 <= there.low <= there.high <= 1
    assert abs(there.low + back.high) < 1e-9


def test_one_stratum_is_the_whole() -> None:
    assert pooled([(Count(5, 20), Count(1, 20))]) == difference(Count(5, 20), Count(1, 20))


@table("kind", ["share", "difference", "strata"])
def test_95_of_100_hold_the_truth(kind: str) -> None:
    chance = random.Random(1)

    def count(calls: int, rate: float) -> Count:
        return Count(sum(chance.random() < rate for _ in range(calls)), calls)

    held, tries = 0, 2000
    for _ in range(tries):
        rate, left = chance.choice((0.05, 0.1, 0.2, 0.35, 0.5)), chance.choice((0.1, 0.3, 0.6, 1, 1))
        sizes = [chance.randint(4, 60) for _ in range(6)]
        if kind == "share":
            found, truth = share(count(sizes[0], rate)), rate
        else:
            several = 1 if kind == "difference" else 3
            rates = [min(1.0, rate * (1 + 0.3 * place)) for place in range(several)]
            strata = [
                (count(sizes[2 * place], one), count(sizes[2 * place + 1], one - rate * (1 - left)))
                for place, one in enumerate(rates)
            ]
            found, truth = pooled(strata), rate * (1 - left)
        assert found is not None
        held += not found.excludes(truth)
    assert 0.93 <= held / tries <= 0.97
