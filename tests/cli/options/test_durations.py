"""Durations as people write them."""

import click
import pytest

from lessons.cli.options.durations import Duration
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
