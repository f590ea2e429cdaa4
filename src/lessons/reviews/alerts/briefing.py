"""The line about alerts at a session start, and the alerts it names."""

from collections.abc import Sequence
from typing import NamedTuple

from lessons.reviews.alerts.baseline import Turn

MOST_BYTES = 290  # for the project, and the same for the installation: together they stay below 600
_SEPARATOR = " · "
_MORE = "still open: {} (`lessons alerts`)"


class Briefing(NamedTuple):
    """Empty if there is nothing to show."""

    text: str
    names: list[str]


def briefing(turns: Sequence[Turn], most: int = MOST_BYTES) -> Briefing:
    """Shows an alert first with its action, then without, then by name only; what does not fit waits."""
    parts: list[str] = []
    names: list[str] = []
    for turn in turns:
        part = _words(turn)
        if part and _size([*parts, part]) <= most:
            parts.append(part)
            names.append(turn.alert.id)
    quiet = [turn.alert.id for turn in turns if turn.shown >= 2]
    while quiet and _size([*parts, _MORE.format(", ".join(quiet))]) > most:
        quiet.pop()
    if quiet:
        parts.append(_MORE.format(", ".join(quiet)))
    return Briefing(_SEPARATOR.join(parts), names + quiet)


def _words(turn: Turn) -> str:
    alert = turn.alert
    return f"{alert.message} Run `{alert.action}`." if turn.shown == 0 else alert.message if turn.shown == 1 else ""


def _size(parts: Sequence[str]) -> int:
    return len(_SEPARATOR.join(parts).encode("utf-8", "replace"))
