"""Fits texts of a history into a screen: excerpts of an output, two commands with their difference, labelled blocks."""

import re
from collections.abc import Sequence
from difflib import SequenceMatcher
from itertools import pairwise
from typing import NamedTuple

from rich.cells import cell_len, set_cell_size
from rich.console import Console
from rich.text import Text

from lessons.cli import render
from lessons.cli.render import many
from lessons.failure.error_text import COLOUR

_WORD = re.compile(r"\w+")
_EXIT_CODE = re.compile(r"Exit code \d+")


def excerpt(lines: Sequence[Text], most: int, important: Sequence[int] = ()) -> list[Text]:
    """Returns at most `most` lines, including gaps; keeps the important ones first, then both ends alternately."""
    number = len(lines)
    if number <= most:
        return list(lines)
    chosen: set[int] = set()
    both_ends = (place for pair in zip(range(number), reversed(range(number)), strict=True) for place in pair)
    for place in [*important, *both_ends]:
        borders = [-1, *sorted(chosen | {place}), number]
        gaps = sum(after - before > 1 for before, after in pairwise(borders))
        if len(chosen | {place}) + gaps <= most:
            chosen.add(place)
    if not chosen:  # no room even to say that something is left out
        return [lines[important[0] if important else 0]]
    shown: list[Text] = []
    before = -1
    for place in [*sorted(chosen), number]:
        if missing := place - before - 1:
            shown.append(Text(f"… {many(missing, 'more line')}", style="dim italic"))
        shown += lines[place : place + 1]
        before = place
    return shown


def raw_lines(text: str) -> list[str]:
    """Returns the lines of a text from a transcript, safe for a terminal, without colours and empty ends."""
    text = COLOUR.sub("", text).replace("\r\n", "\n").replace("\r", "\n").expandtabs(4)
    return [line.rstrip() for line in render.printable(text).strip("\n").split("\n")]


def cut(line: str, width: int, style: str = "") -> Text:
    """Returns the line cut to the width of the screen."""
    fits = cell_len(line) <= width
    return Text(line if fits else set_cell_size(line, width - 1).rstrip() + "…", style=style)


def cut_around(line: str, patterns: Sequence[str], width: int, style: str = "") -> Text:
    """Returns the line cut so that what one of the patterns matches is seen; these are harmless."""
    found = next(filter(None, (re.search(pattern, line) for pattern in patterns)), None)
    if found and found.start() and cell_len(line[: found.end()]) >= width:
        line = "…" + line[found.start() :]
    return cut(line, width, style)


def output_lines(output: str, telling: str, width: int, most: int, style: str = "dim") -> list[Text]:
    """Returns the head and the tail of a call's output, and the line that says what was wrong; no line twice."""
    distinct = {" ".join(line.split()): line for line in reversed(raw_lines(output)) if line.strip()}
    lines = [*distinct.values()][::-1]
    lines = [line for line in lines if not _EXIT_CODE.fullmatch(line.strip())] or lines
    wanted = " ".join(render.printable(telling).split())
    found = [place for place, line in enumerate(lines) if wanted and wanted in " ".join(line.split())]
    if not found and (words := set(_WORD.findall(wanted))):
        # The line that shares most words with the wanted one, if it has half of them.
        shared = [len(words.intersection(_WORD.findall(line))) for line in lines]
        found = [shared.index(max(shared))] if 2 * max(shared, default=0) >= len(words) else []
    texts = [cut(line, width, style) for line in lines]
    if not found:
        return excerpt(texts, most)
    # A program may print the same in a document and in a sentence: the sentence is shorter.
    best = min(found, key=lambda place: len(lines[place]))
    plain = " ".join(lines[best].split())
    start = plain.rfind(wanted)
    is_hidden = start >= 0 and cell_len(plain) > width and cell_len(plain[: start + len(wanted)]) >= width
    texts[best] = cut("…" + plain[start:] if is_hidden else lines[best], width, "bold")
    return excerpt(texts, most, [best])


GONE, CAME = "bold red", "bold green"
# A newline and the indent of the next line are one token.
_TOKEN = re.compile(r"\n[ \t]*|[^\s]+")
_LINE_END = re.compile(r"\s*\\?\n\s*")
_MOST_TOKENS = 400
# How many unchanged words stay beside a changed one: the first of these that fits.
_NEIGHBOURS = (40, 12, 6, 3, 1)
_LONG_WORD = 36

Piece = tuple[list[str], str]  # words and their style


def diff(before: str, after: str, room: int, most: int = 1) -> tuple[list[Text], list[Text]]:
    """Returns both commands, each cut to `most` lines of about `room` cells; cuts in the middle of unchanged words."""
    old, new = _tokens(before, most), _tokens(after, most)
    failed: list[Piece] = []
    worked: list[Piece] = []
    for tag, start, end, from_, to in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        failed.append((old[start:end], "" if tag == "equal" else GONE))
        worked.append((new[from_:to], "" if tag == "equal" else CAME))
    return _lines(failed, room, most), _lines(worked, room, most)


def alone(text: str, room: int, most: int = 1) -> list[Text]:
    """Returns one command without highlighting, cut in its middle."""
    return _lines([(_tokens(text, most), "")], room, most)


def _tokens(text: str, most: int) -> list[str]:
    # One line of a longer command says nothing without the program it begins with.
    text = _LINE_END.sub(" ", text.strip()) if most == 1 else text.strip()
    tokens = _TOKEN.findall(text)[:_MOST_TOKENS]
    return [token.expandtabs(4) if token[0] == "\n" else render.printable(token) for token in tokens]


def _lines(pieces: list[Piece], room: int, most: int) -> list[Text]:
    """Returns one text for each line of the command; if there are too many, changed lines stay."""
    rows: list[tuple[str, list[Piece]]] = [("", [])]
    for words, style in pieces:
        row: list[str] = []
        for word in words:
            if word[:1] == "\n":
                rows[-1][1].append((row, style))
                rows.append((word[1 : 1 + room // 4], []))
                row = []
            else:
                row.append(word)
        rows[-1][1].append((row, style))
    texts = [Text(indent).append_text(_fitted(row, room - len(indent))) for indent, row in rows]
    changed = [place for place, (_, row) in enumerate(rows) if any(style and words for words, style in row)]
    # The first line has the program.
    return excerpt(texts, most, [0, *changed])


def _fitted(pieces: list[Piece], room: int) -> Text:
    """Returns the words on one line, with as many unchanged words beside the changed ones as fit."""
    pieces = [piece for piece in pieces if piece[0]]
    text = Text()
    for neighbours in _NEIGHBOURS:
        text = Text()
        for number, (words, style) in enumerate(pieces):
            if not style:
                # Readers look for the program first.
                first = max(neighbours, 2) if number == 0 else neighbours
                last = neighbours if number + 1 < len(pieces) or number == 0 else min(neighbours, 3)
                if neighbours < _NEIGHBOURS[0]:
                    words = [word if len(word) <= _LONG_WORD else f"{word[:12]}…{word[-16:]}" for word in words]
                words = words if len(words) <= first + last + 1 else [*words[:first], "…", *words[-last:]]
            text.append(" " if number else "").append(" ".join(words), style=style)
        if cell_len(text.plain) <= room:
            break
    text.truncate(room, overflow="ellipsis")
    return text


LABEL_WIDTH = 9
# The order in which blocks give up lines.
FIRST, MIDDLE, LAST = 0, 1, 2
_AIR = (8, 10, 13)  # blank lines before the trigger, the words and the notes


class Block(NamedTuple):
    """Lines that belong together; the first `floor` stay if there is no room for all."""

    lines: list[Text]
    rank: int = MIDDLE
    floor: int = 1
    is_marked: bool = False  # an ellipsis stands for it where it is left out


def fit(blocks: Sequence[Block], height: int, width: int) -> list[Text]:
    """Removes lines until everything fits; the last line of a block that was cut ends with an ellipsis."""
    heights = [len(block.lines) for block in blocks]
    while sum(heights) > height:
        # From the blocks that may lose a line: the first rank, and in it the one that has most to lose.
        able = [(block.rank, block.floor - heights[place], place) for place, block in enumerate(blocks)]
        able = [each for each in able if each[1] < 0]
        if not able:
            break
        heights[min(able)[2]] -= 1
    # Blank lines only if there is room for all of them.
    airy = sum(heights) + len(_AIR) <= height
    shown: list[Text] = []
    for place, (number, block) in enumerate(zip(heights, blocks, strict=True)):
        part = block.lines[:number]
        if block.is_marked and block.lines and not part and shown:
            shown[-1] = _with_ellipsis(shown[-1], width)
        shown += [Text()] if airy and place in _AIR and part else []
        if part and number < len(block.lines):
            part[-1] = _with_ellipsis(part[-1], width)
        shown += part
    return shown


def _with_ellipsis(line: Text, width: int) -> Text:
    line = line.copy()
    line.rstrip()
    if not line.plain.endswith("…"):
        line.truncate(width - 2)
        line.append(" …")
    return line


def key_lines(keys: Sequence[str], width: int) -> list[str]:
    """Returns the keys in as few lines as fit, never broken inside a key."""
    found: list[str] = []
    for key in keys:
        if found and cell_len(found[-1]) + 2 + len(key) <= width:
            found[-1] += f"  {key}"
        else:
            found.append(key)
    return found


def labelled(label: str, text: Text, width: int) -> list[Text]:
    return lines(label, wrapped(text, width - LABEL_WIDTH))


def lines(label: str, shown: list[Text]) -> list[Text]:
    """Puts lines that fit beside their label."""
    names = [label, *[""] * len(shown)]
    return [
        Text().append(name.ljust(LABEL_WIDTH), style="bold").append_text(line)
        for name, line in zip(names, shown, strict=False)
    ]


def wrapped(text: Text, width: int) -> list[Text]:
    console = Console(width=width, highlight=False)
    return [line for part in text.split("\n") for line in part.wrap(console, width, overflow="fold")]


def print_figures(columns: str, rows: Sequence[str], meaning: str, other_rows: int) -> None:
    """Prints the lessons below the columns, one line for each where they do not all fit; counts those left out."""
    console = Console(highlight=False)
    width = max(40, console.width) - 1
    console.print(Text(columns, style="bold"))
    room = max(3, console.height - other_rows)
    shown = rows if len(rows) <= room else rows[: room - 1]
    indent = columns.rindex(columns.split()[-1])
    folded = [(row[:indent], wrapped(Text(row[indent:]), width - indent)) for row in shown]
    if sum(len(parts) for _, parts in folded) > room:
        folded = [("", [cut(row, width)]) for row in shown]
    for start, parts in folded:
        for number, part in enumerate(parts):
            console.print(Text(" " * len(start) if number else start).append_text(part), no_wrap=True)
    if len(shown) < len(rows):
        console.print(Text(f"… and {len(rows) - len(shown)} more", style="dim"))
    for line in wrapped(Text(meaning, style="dim"), width):
        console.print(line)
