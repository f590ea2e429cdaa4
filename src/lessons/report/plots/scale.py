"""Positions and ticks on an axis."""

import math
from collections.abc import Sequence
from datetime import date
from typing import NamedTuple

_STEPS = (1, 2, 5, 10)


class Scale(NamedTuple):
    """A linear mapping from figures to positions."""

    low: float
    high: float
    start: float
    end: float

    def at(self, value: float) -> float:
        return self.start + (value - self.low) / ((self.high - self.low) or 1) * (self.end - self.start)


def ticks(most: float, about: int = 4) -> list[int]:
    """Returns whole numbers from 0 to at least `most`, evenly spaced."""
    raw = max(1.0, most / about)
    size = 10 ** math.floor(math.log10(raw))
    step = next(int(each * size) for each in _STEPS if each * size >= raw)
    return list(range(0, math.ceil(max(1.0, most) / step) * step + 1, step))


def thinned(places: Sequence[float], room: float) -> list[int]:
    """Returns the indexes to label, so that no two are closer than `room`; includes the last one."""
    chosen: list[int] = []
    for number in reversed(range(len(places))):
        if not chosen or places[chosen[-1]] - places[number] >= room:
            chosen.append(number)
    return chosen[::-1]


def day_label(day: str) -> str:
    """Returns `3 Feb` for a day, `Feb 2026` for a month."""
    if len(day) == len("2026-01"):
        return f"{date.fromisoformat(day + '-01'):%b %Y}"
    found = date.fromisoformat(day)
    return f"{found.day} {found:%b}"
