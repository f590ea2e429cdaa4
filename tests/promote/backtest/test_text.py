"""A report as a person reads it: a sentence, and a bar that leaves nothing out."""

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from lessons.promote.backtest.backtest import Examples, Report, wilson
from lessons.promote.backtest.text import SIGNS, bar, sentence
from tests.tables import table


def report(same: int, other: int, ok: int, unknown: int = 0, sessions: int = 5, **more: float) -> Report:
    return Report(
        hits=same + other + ok + unknown,
        sessions=sessions,
        projects=1,
        failed_same=same,
        failed_other=other,
        ok=ok,
        unknown=unknown,
        judged=same + other + ok,
        precision=wilson(same + other, same + other + ok),
        caught=more.get("caught"),
        per_week=more.get("per_week", 1.23),
        examples=Examples([], []),
    )


@table(
    ("made", "expected"),
    [
        (report(0, 0, 0), "would not have fired on any call"),
        (
            report(9, 1, 2),
            "would have fired 12 times in 5 sessions: 9 failed with the same error, 1 otherwise, 2 succeeded;"
            " precision 0.83 (0.55–0.95); about 1.2 sessions per week",
        ),
        (
            report(1, 0, 0, sessions=1, caught=1.0, per_week=0.04),
            "would have fired once in 1 session: 1 failed; precision 1.00 (0.21–1.00); catches all known failures;"
            " less than 0.1 sessions per week",
        ),
        (
            report(0, 1200, 1, 3),
            "would have fired 1,204 times in 5 sessions: 1,200 failed, 1 succeeded, 3 did not finish;"
            " precision 1.00 (1.00–1.00); about 1.2 sessions per week",
        ),
        (
            report(0, 0, 0, 2),
            "would have fired 2 times in 5 sessions: 2 did not finish; precision unknown; about 1.2 sessions per week",
        ),
    ],
)
def test_the_figures_in_words(made: Report, expected: str) -> None:
    assert sentence(made) == expected


def test_bars() -> None:
    assert bar(report(0, 0, 0), 6) == "──────"
    assert bar(report(1, 0, 0), 6) == "██████"
    assert bar(report(2, 0, 2), 6) == "███░░░"
    assert bar(report(1000, 1, 1000, 1), 10) == "████▓░░░░·"


numbers = st.integers(0, 100_000)


@given(numbers, numbers, numbers, numbers, st.integers(len(SIGNS), 100))
def test_a_bar_is_as_long_as_asked_and_shows_whatever_occurred(
    same: int, other: int, ok: int, unknown: int, width: int
) -> None:
    drawn = bar(report(same, other, ok, unknown), width)
    assert len(drawn) == width
    assert [sign in drawn for sign in SIGNS] == [bool(count) for count in (same, other, ok, unknown)]


def test_calls_in_an_unknown_state_are_told_apart() -> None:
    quiet = msgspec.structs.replace(report(0, 0, 0), unknown=3, state_unknown=3)
    assert sentence(quiet) == (
        "would not have fired on any call; 3 more calls match, in a state that the history does not record"
    )
    some = msgspec.structs.replace(report(1, 0, 0, sessions=1), unknown=1, state_unknown=1)
    assert sentence(some).endswith("; 1 more call matches, in a state that the history does not record")
    assert "did not finish" not in sentence(some)
    assert bar(some, 10) == SIGNS[0] * 10
