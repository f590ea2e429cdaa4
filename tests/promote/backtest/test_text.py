"""A report as a person reads it: a sentence, and a bar that leaves nothing out."""

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from lessons.promote.backtest import Examples, Outcomes, Report, wilson
from lessons.promote.backtest_report import SIGNS, bar, legend, sentence
from tests.tables import table

NOTHING_ELSE = "would have caught no other failed call and disturbed no good call"
TWICE = "fires in about 2 sessions a week"


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
        others=Outcomes(same, other, ok, unknown),
    )


def taught(known: int, hits: int, others: Outcomes, state: int = 0) -> Report:
    """The report of a lesson that was learned from calls of the history."""
    failed_same, failed_other = hits + others.failed_same, others.failed_other
    return Report(
        hits=hits + others.failed + others.ok + others.unknown,
        sessions=4,
        projects=1,
        failed_same=failed_same,
        failed_other=failed_other,
        ok=others.ok,
        unknown=others.unknown + state,
        judged=0,
        precision=wilson(0, 0),
        caught=hits / known,
        per_week=2.0,
        examples=Examples([], []),
        state_unknown=state,
        learned_from=known,
        learned_hits=hits,
        learned_unknown=min(state, known - hits),
        others=others,
    )


@table(
    ("made", "expected"),
    [
        # What taught the lesson is no proof of it: not even where nothing else is known.
        (
            taught(4, 4, Outcomes()),
            f"learned from 4 calls; {NOTHING_ELSE}; {TWICE}",
        ),
        (
            taught(4, 0, Outcomes()),
            f"learned from 4 calls, fires on none of them; {NOTHING_ELSE}",
        ),
        (
            taught(4, 3, Outcomes(12, 2, 1, 5)),
            "learned from 4 calls, fires on 3 of them; would have caught 14 more failed calls (2 with another error)"
            " and disturbed 1 good call; 5 calls did not finish; fires in about 2 sessions a week",
        ),
        (
            taught(2, 2, Outcomes(ok=3, suspicious=2)),
            "learned from 2 calls; would have caught no other failed call and disturbed 1 good call;"
            f" 2 calls succeeded but look like failures; {TWICE}",
        ),
        (
            taught(3, 0, Outcomes(), state=3),
            "learned from 3 calls (the history does not record the state of 3); would have caught no other failed call"
            " and disturbed no good call",
        ),
        (
            taught(1, 1, Outcomes(), state=2),
            f"learned from 1 call; {NOTHING_ELSE}; {TWICE};"
            " 2 more calls match, in a state that the history does not record",
        ),
    ],
)
def test_what_taught_the_lesson_is_counted_apart(made: Report, expected: str) -> None:
    assert sentence(made) == expected


@table(
    ("made", "expected"),
    [
        (report(0, 0, 0), "would not have fired on any call"),
        (
            report(9, 1, 2),
            "would have fired 12 times in 5 sessions: 9 failed with the same error, 1 otherwise, 2 succeeded;"
            " precision 0.83 (0.55–0.95); fires in about 1 session a week",
        ),
        (
            report(1, 0, 0, sessions=1, caught=1.0, per_week=0.04),
            "would have fired once in 1 session: 1 failed; precision 1.00 (0.21–1.00);"
            " fires in less than 1 session every 10 weeks",
        ),
        (
            report(0, 1200, 1, 3),
            "would have fired 1,204 times in 5 sessions: 1,200 failed, 1 succeeded, 3 did not finish;"
            " precision 1.00 (1.00–1.00); fires in about 1 session a week",
        ),
        (
            msgspec.structs.replace(report(2, 0, 1), precision=wilson(0, 1)),
            "would have fired 3 times in 5 sessions: 2 failed with the same error, 1 succeeded; precision unknown;"
            " fires in about 1 session a week",
        ),
        (
            report(0, 0, 0, 2),
            "would have fired 2 times in 5 sessions: 2 did not finish; precision unknown;"
            " fires in about 1 session a week",
        ),
    ],
)
def test_the_figures_in_words(made: Report, expected: str) -> None:
    assert sentence(made) == expected


@table(
    ("per_week", "expected"),
    [
        (0.04, "less than 1 session every 10 weeks"),
        (0.1, "about 1 session every 10 weeks"),
        (0.2, "about 1 session every 5 weeks"),
        (0.9, "about 1 session a week"),
        (1.2, "about 1 session a week"),
        (12.6, "about 13 sessions a week"),
    ],
)
def test_how_often_it_fires(per_week: float, expected: str) -> None:
    assert sentence(report(1, 0, 0, per_week=per_week)).endswith(f"; fires in {expected}")


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
    occurred = [sign for sign, count in zip(SIGNS[1:], (same, other, ok, unknown), strict=True) if count]
    assert [sign for sign in SIGNS if sign in drawn] == occurred
    assert [sign for sign, _ in legend(report(same, other, ok, unknown))] == occurred


def test_the_bar_and_its_legend_tell_apart_what_taught_the_lesson() -> None:
    made = taught(3, 3, Outcomes(2, 0, 1))
    assert bar(made, 6) == "▒▒▒██░"
    assert legend(made) == [("▒", "learned from"), ("█", "same error"), ("░", "succeeded")]
    assert legend(taught(3, 0, Outcomes())) == []


def test_calls_in_an_unknown_state_are_told_apart() -> None:
    quiet = msgspec.structs.replace(report(0, 0, 0), unknown=3, state_unknown=3)
    assert sentence(quiet) == (
        "would not have fired on any call; 3 more calls match, in a state that the history does not record"
    )
    some = msgspec.structs.replace(report(1, 0, 0, sessions=1), unknown=1, state_unknown=1)
    assert sentence(some).endswith("; 1 more call matches, in a state that the history does not record")
    assert "did not finish" not in sentence(some)
    assert bar(some, 10) == SIGNS[1] * 10
