"""What is expected to be saved: never negative, and more of what comes back, costs more or is surer."""

from hypothesis import given
from hypothesis import strategies as st

from lessons.promote.candidate import expected_saving
from tests.tables import table

ONCE: dict[str, float] = {"confidence": 0.5, "occurrences": 2, "sessions": 2, "projects": 1, "calls_lost": 4}


def saving(**changes: float) -> float:
    return expected_saving(**{**ONCE, **changes})  # type: ignore[arg-type]


def test_nothing_is_saved_by_what_never_happened() -> None:
    assert saving(occurrences=0, sessions=0, projects=0) == 0
    assert saving(confidence=0) == 0


def test_a_long_pause_is_no_loss() -> None:
    assert saving(minutes_lost=100_000) == saving(minutes_lost=1_000)


@table(
    "more",
    [
        {"confidence": 0.6},
        {"occurrences": 3, "sessions": 3, "calls_lost": 6},
        {"projects": 2},
        {"calls_lost": 8},
        {"minutes_lost": 3.0},
    ],
)
def test_more_is_worth_more(more: dict[str, float]) -> None:
    assert saving(**more) > saving()


@given(
    confidence=st.floats(0, 1),
    occurrences=st.integers(0, 10**6),
    sessions=st.integers(0, 10**4),
    projects=st.integers(0, 10**3),
    calls_lost=st.integers(-1, 10**6),
    minutes_lost=st.floats(-1, 10**6),
)
def test_it_is_a_number_whatever_was_counted(**counted: float) -> None:
    assert 0 <= expected_saving(**counted) < float("inf")  # type: ignore[arg-type]
