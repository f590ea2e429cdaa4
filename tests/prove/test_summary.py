"""The lines about all lessons together: first that there are none without data."""

from lessons.prove.effect import NOTHING, Count, Difference, Holdout, Pooled
from lessons.prove.stats import Summary, sentences
from tests.cli.command_line import COLUMNS

NO_HOLDOUT = Holdout(NOTHING, NOTHING, None, "not enough data", 0)
NOTHING_KNOWN = Summary(Pooled(0, None), NO_HOLDOUT)
MEAN = Pooled(12, Difference(0.5, 0.19, -0.5, -0.31, -0.1))


def test_nothing_is_said_where_nothing_can_be_compared() -> None:
    assert sentences(NOTHING_KNOWN, is_withholding=False) == []


def test_the_mean_over_all_lessons() -> None:
    found = NOTHING_KNOWN._replace(pooled=MEAN)
    assert sentences(found, is_withholding=False) == [
        "12 lessons compared: -31 mistakes per 100 matches (95 % range: -50 to -10)",
    ]


def test_withheld_hints() -> None:
    begun = NOTHING_KNOWN._replace(holdout=NO_HOLDOUT._replace(more_sessions=240))
    assert sentences(begun, is_withholding=True) == [
        "Withheld hints: not enough data; about 240 more sessions until it can tell"
    ]
    seen = Difference(0.4, 0.2, -0.45, -0.2, 0.05)
    held = Holdout(Count(4, 10), Count(18, 90), seen, "no effect shown", 120)
    lines = sentences(NOTHING_KNOWN._replace(pooled=MEAN, holdout=held), is_withholding=True)
    assert lines[1:] == [
        "Withheld hints: -20 mistakes per 100 matches (95 % range: -45 to +5)",
        "  the hints: no effect shown; about 120 more sessions until it can tell",
    ]
    assert max(map(len, lines)) <= COLUMNS
