"""Options that several verbs share: durations and dates as people write them."""

from datetime import UTC, datetime, timedelta

import click
import pytest

from lessons.cli.options import Duration, Moment
from tests.tables import table


@table("text", ["", "2", "h", "-1h", "1.h", "0s", "0.0d", "2 hours", "1h30m", "521w", "9" * 400 + "w"])
def test_what_is_no_duration(text: str) -> None:
    with pytest.raises(click.BadParameter):
        Duration().convert(text, None, None)


@table(
    ("text", "seconds"),
    [("1s", 1), ("30m", 1800), ("2h", 7200), ("1.5d", 129600), ("520w", 314496000), (" 2 h ", 7200)],
)
def test_what_is_one(text: str, seconds: float) -> None:
    assert Duration().convert(text, None, None) == seconds


@table("text", ["", "soon", "2026-13-01", "01.09.2026", "7", "7y", "0d", "-1d", "0000-01-01", "9999w"])
def test_what_is_no_moment(text: str) -> None:
    with pytest.raises(click.BadParameter, match=r"is not a d|longer than ten years"):
        Moment().convert(text, None, None)


@table(
    ("text", "moment"),
    [
        ("2026-09-01T14:30:00Z", "2026-09-01T14:30:00.000Z"),
        ("2026-09-01T14:30:00.123456+02:00", "2026-09-01T12:30:00.123Z"),
    ],
)
def test_moments(text: str, moment: str) -> None:
    assert Moment().convert(text, None, None) == moment


def test_a_date_is_one_of_the_persons_own() -> None:
    expected = datetime(2026, 9, 1).astimezone(UTC)
    assert Moment().convert(" 2026-09-01 ", None, None) == f"{expected:%Y-%m-%dT%H:%M:%S}.000Z"


def test_some_time_ago() -> None:
    found = datetime.fromisoformat(Moment().convert("7d", None, None))
    assert abs(datetime.now(UTC) - timedelta(days=7) - found) < timedelta(minutes=1)
