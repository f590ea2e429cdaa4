"""The one note when the same error occurs for the third time."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lessons.inject.loop import loop_note, loop_words
from lessons.store.claims.failures import RecentFailures
from tests.tables import table

NOW = 1_790_000_000.0
MISSING = "Exit code 1\nModuleNotFoundError: No module named 'requests'"


def note(home: str, session: str, agent_id: str, error: str, now: float) -> str:
    return loop_note(error, RecentFailures(home, session, agent_id, now))


@given(st.text())
def test_any_text_makes_a_short_note(text: str) -> None:
    said = loop_words(text, 3, 2)
    assert all(sign >= " " or sign == "\n" for sign in said) and len(said) < 500


@pytest.fixture
def home(tmp_path: Path) -> str:
    return str(tmp_path)


def test_nothing_is_said_before_the_third_time_nor_after_it(home: str) -> None:
    said = [note(home, "s", "", MISSING, NOW + 60 * minute) for minute in range(30)]
    assert [bool(text) for text in said] == [False, False, True] + [False] * 27
    assert said[2].startswith(
        "The same error occurred three times in 2 minutes."
        " The tool printed “ModuleNotFoundError: No module named 'requests'”.\n"
    )


def test_nothing_is_said_of_what_is_not_a_loop(home: str) -> None:
    for number in range(9):
        assert note(home, "", "", MISSING, NOW) == ""
        assert note(home, "s", "", "Exit code 1", NOW) == ""
        assert note(home, f"s{number}", "", MISSING, NOW) == ""
        assert note(home, "s", f"a{number}", MISSING, NOW) == ""
        assert note(home, "s", "", f"error: unknown option --{'x' * number}", NOW) == ""
        assert note(home, "slow", "", MISSING, NOW + 11 * 60 * number) == ""


def test_another_error_and_another_context_are_told_too(home: str) -> None:
    for number in range(2):
        note(home, "s", "", MISSING, NOW + 5 * number)
        note(home, "s", "", "error: other", NOW + 5 * number)
        note(home, "s", "a1", MISSING, NOW + 5 * number)
    later = NOW + 15
    assert note(home, "s", "", MISSING, later).startswith("The same error occurred three times in 1 minute. ")
    assert "error: other" in note(home, "s", "", "error: other", later)
    assert note(home, "s", "a1", MISSING, later)


def test_nothing_is_said_of_what_was_done_in_between() -> None:
    assert "tried" not in loop_words("error", 3, 2)


@table(("count", "told"), [(3, "three times"), (5, "five times"), (6, "6 times"), (40, "40 times")])
def test_how_often(count: int, told: str) -> None:
    assert f" {told} in 7 minutes. " in loop_words("error", count, 7)
