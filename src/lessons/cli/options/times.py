"""Parses dates as people write them (2026-09-01, 2026-09-01T14:30, 7d for a week ago) into the format of the tables."""

import re
from datetime import UTC, datetime, timedelta

import click

from lessons.cli.options.durations import Duration


class Moment(click.ParamType):  # type: ignore[type-arg, unused-ignore]
    """Reads a date without a time zone as local time."""

    name = "moment"

    def convert(self, value: object, parameter: click.Parameter | None, context: click.Context | None) -> str:
        text = str(value).strip()
        try:
            if re.fullmatch(r"[\d.]+\s*[a-z]", text):
                moment = datetime.now(UTC) - timedelta(seconds=Duration().convert(text, parameter, context))
            else:
                moment = datetime.fromisoformat(text).astimezone(UTC)
        except (ValueError, OverflowError, OSError):
            self.fail(
                f"{value!r} is not a date: write one such as 2026-09-01 or 2026-09-01T14:30, or how long ago: 7d.",
                parameter,
                context,
            )
        return f"{moment:%Y-%m-%dT%H:%M:%S}.{moment.microsecond // 1000:03d}Z"
