"""Shortens a long text to the lines that matter, the first and the last, and says how many are left out between."""

import re
from collections.abc import Sequence
from itertools import pairwise

from rich.cells import cell_len, set_cell_size
from rich.text import Text

from lessons.cli import render
from lessons.failure.clean import COLOUR

_GAP_STYLE = "dim italic"
_WORD = re.compile(r"\w+")
_EXIT_CODE = re.compile(r"Exit code \d+")


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
    """Returns the head and the tail of a call's output, and the line that says what was wrong; no line twice."""
    lines = _distinct(raw_lines(output))
    wanted = " ".join(render.printable(telling).split())
    found = [place for place, line in enumerate(lines) if wanted and wanted in " ".join(line.split())]
    found = found or _nearest(lines, wanted)
    # A program may say the same in a document and in a sentence: the sentence is shorter.
    best = min(found, key=lambda place: len(lines[place]), default=-1)
    texts = [cut(line, width, style) for line in lines]
    if found:
        texts[best] = _cut_around(lines[best], wanted, width, "bold")
    return excerpt(texts, most, [best] if found else [])


def _nearest(lines: Sequence[str], wanted: str) -> list[int]:
    """Returns the line that shares most words with the wanted one, if it has half of them."""
    words = set(_WORD.findall(wanted))
    shared = [len(words.intersection(_WORD.findall(line))) for line in lines]
    return [shared.index(max(shared))] if words and 2 * max(shared, default=0) >= len(words) else []


def _distinct(lines: Sequence[str]) -> list[str]:
    """Returns the lines without blank and repeated ones, and without the exit code if there is anything else."""
    distinct = list({" ".join(line.split()): line for line in reversed(lines) if line.strip()}.values())[::-1]
    said = [line for line in distinct if not _EXIT_CODE.fullmatch(line.strip())]
    return said or distinct


def _cut_around(line: str, wanted: str, width: int, style: str) -> Text:
    """Returns the line cut so that the wanted words stay visible, where they stand too far to the right."""
    plain = " ".join(line.split())
    start = plain.rfind(wanted)
    if start < 0 or cell_len(plain) <= width or cell_len(plain[: start + len(wanted)]) < width:
        return cut(line, width, style)
    return cut("…" + plain[start:], width, style)
