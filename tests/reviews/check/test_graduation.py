"""When a finding fails: never at once, never in the warned session, never with an unreadable state."""

from datetime import UTC, datetime, timedelta

from lessons.reviews.check.graduation import GRACE_SECONDS, after_check, level_of
from lessons.store.project_state.timestamps import time_of
from tests.tables import table

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)
HOUR = 3600


def ago(seconds: float) -> str:
    return time_of(NOW - timedelta(seconds=seconds))


# When it was first warned of, and when the session that runs now began, in seconds before now.
WARNS = [
    (None, 1 * HOUR),  # never seen
    (1 * HOUR, 0),  # another session, within the grace period
    (GRACE_SECONDS - 60, 0),
    (5 * HOUR, 6 * HOUR),  # the same session
    (90 * HOUR, 100 * HOUR),  # the same session, however long it runs
    (5 * HOUR, None),  # nobody knows which session this is
]


@table("warned, began", WARNS)
def test_warns(warned: float | None, began: float | None) -> None:
    first = ago(warned) if warned is not None else None
    assert level_of(first, NOW.timestamp(), None if began is None else NOW.timestamp() - began) == "warn"


@table("warned, began", [(5 * HOUR, 0), (GRACE_SECONDS + 60, HOUR), (300 * HOUR, 299 * HOUR)])
def test_fails(warned: float, began: float) -> None:
    assert level_of(ago(warned), NOW.timestamp(), NOW.timestamp() - began) == "fail"


def test_a_time_that_is_none_warns() -> None:
    assert level_of("yesterday", NOW.timestamp(), NOW.timestamp()) == "warn"


def test_first_sightings_keep_their_time_and_what_was_fixed_is_dropped() -> None:
    before = {"a.py::x": "1", "a.py::y": "1", "b.py::x": "1"}
    after = after_check(before, {"a.py::x", "a.py::z"}, {"a.py"}, {"x", "y", "z"}, "2")
    assert after == {"a.py::x": "1", "a.py::z": "2", "b.py::x": "1"}


def test_a_lesson_that_was_not_checked_keeps_its_warning() -> None:
    assert after_check({"a.py::x": "1"}, set(), {"a.py"}, {"y"}, "2") == {"a.py::x": "1"}
