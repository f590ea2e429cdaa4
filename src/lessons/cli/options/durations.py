"""Parses durations as people write them (30m, 2h, 1d) into seconds."""

import re

import click

_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86400, "w": 604800}
_LONGEST_DURATION = 520 * _SECONDS["w"]


class Duration(click.ParamType):  # type: ignore[type-arg, unused-ignore]
    name = "duration"

    def convert(self, value: object, parameter: click.Parameter | None, context: click.Context | None) -> float:
        if isinstance(value, int | float):
            return float(value)
        found = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([smhdw])", str(value).strip())
        if not found or float(found[1]) == 0:
            self.fail(
                f"{value!r} is not a duration: write a number and s, m, h, d or w, such as 2h.", parameter, context
            )
        seconds = float(found[1]) * _SECONDS[found[2]]
        if seconds > _LONGEST_DURATION:
            self.fail(f"{value!r} is longer than ten years: give less.", parameter, context)
        return seconds
