"""One bar, divided by named numbers."""

from collections.abc import Sequence
from typing import NamedTuple

from markupsafe import Markup

from lessons.report.plots.svg import WIDE, box, picture


class Part(NamedTuple):
    name: str
    number: int
    kind: str  # a class of the style sheet


def share_bar(parts: Sequence[Part], width: float = WIDE, height: float = 18.0) -> Markup:
    """Skips parts that are zero; the label names the others."""
    shown = [part for part in parts if part.number]
    total = sum(part.number for part in shown) or 1
    place, found = 0.0, []
    for part in shown:
        size = width * part.number / total
        found.append(box(place, 0.5, max(1.0, size - 1), height - 1, f"bar {part.kind}", _label(part, total)))
        place += size
    label = ", ".join(_label(part, total) for part in shown) or "nothing"
    return picture(width, height, label, *found, preserveAspectRatio="none")


def _label(part: Part, total: int) -> str:
    return f"{part.name}: {part.number:,} ({100 * part.number / total:.0f} %)"
