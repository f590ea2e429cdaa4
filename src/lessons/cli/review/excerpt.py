"""Shortens a long text to the lines that matter, the first and the last, and says how many are left out between."""

from collections.abc import Sequence
from itertools import pairwise

from rich.cells import cell_len, set_cell_size
from rich.text import Text

from lessons.cli import render
from lessons.failure.clean import COLOUR

_GAP_STYLE = "dim italic"


def excerpt(lines: Sequence[Text], most: int, important: Sequence[int] = ()) -> list[Text]:
    """Returns at most `most` lines, including gaps; keeps the important ones first, then both ends alternately."""
    if len(lines) <= most:
        return list(lines)
    kept: set[int] = set()
    for place in [*important, *_from_both_ends(len(lines))]:
        if _rows(kept | {place}, len(lines)) <= most:
            kept.add(place)
    if not kept:  # no room even to say that something is left out
        return [lines[important[0] if important else 0]]
    shown: list[Text] = []
    before = -1
    for place in [*sorted(kept), len(lines)]:
        if missing := place - before - 1:
            shown.append(Text(f"… {missing} more line{'' if missing == 1 else 's'}", style=_GAP_STYLE))
        shown += [lines[place]] if place < len(lines) else []
        before = place
    return shown


def _from_both_ends(number: int) -> list[int]:
    return [place for pair in zip(range(number), reversed(range(number)), strict=True) for place in pair]


def _rows(kept: set[int], number: int) -> int:
    """Returns how many rows the kept lines take, including the lines that mark gaps."""
    borders = [-1, *sorted(kept), number]
    return len(kept) + sum(after - before > 1 for before, after in pairwise(borders))


def raw_lines(text: str) -> list[str]:
    """Returns the lines of a text from a transcript, safe for a terminal, without colours and empty ends."""
    text = COLOUR.sub("", text).replace("\r\n", "\n").replace("\r", "\n").expandtabs(4)
    return [render.printable(line).rstrip() for line in text.strip("\n").split("\n")]


def cut(line: str, width: int, style: str = "") -> Text:
    """Returns the line cut to the width of the screen."""
    fits = cell_len(line) <= width
    return Text(line if fits else set_cell_size(line, width - 1).rstrip() + "…", style=style)


def output_lines(output: str, telling: str, width: int, most: int, style: str = "dim") -> list[Text]:
    """Returns the head and the tail of a call's output, and the line that says what was wrong."""
    lines = [line for line in raw_lines(output) if line.strip()]
    wanted = " ".join(render.printable(telling).split())
    found = [place for place, line in enumerate(lines) if wanted and wanted in " ".join(line.split())]
    texts = [cut(line, width, "bold" if place in found[:1] else style) for place, line in enumerate(lines)]
    return excerpt(texts, most, found[:1])
