"""Moments as people write them."""

from datetime import UTC, datetime, timedelta

import click
import pytest

from lessons.cli.options.times import Moment
from tests.tables import table


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
