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
from lessons.failure.error_text import COLOUR

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
        gone, came = old[start:end], new[from_:to]
        if tag == "equal":
            failed.append((gone, ""))
            worked.append((came, ""))
            continue
        if len(gone) == len(came) == 1:
            gone[0], came[0] = _without_the_same_ends(gone[0], came[0])
        failed.append((gone, GONE))
        worked.append((came, CAME))
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
    pieces = [piece for piece in pieces if piece[0]]
    text = Text()
    for neighbours in _NEIGHBOURS:
        text = _joined(pieces, neighbours)
        if cell_len(text.plain) <= room:
            break
    text.truncate(room, overflow="ellipsis")
    return text


def _joined(pieces: list[Piece], neighbours: int) -> Text:
    text = Text()
    for number, (words, style) in enumerate(pieces):
        if not style:
            # Readers look for the program first.
            first = max(neighbours, 2) if number == 0 else neighbours
            last = neighbours if number + 1 < len(pieces) or number == 0 else min(neighbours, 3)
            words = [_middle_cut(word) for word in words] if neighbours < _NEIGHBOURS[0] else words
            words = words if len(words) <= first + last + 1 else [*words[:first], "…", *words[-last:]]
        text.append(" " if number else "").append(" ".join(words), style=style)
    return text


def _middle_cut(word: str) -> str:
    return word if len(word) <= _LONG_WORD else f"{word[:12]}…{word[-16:]}"


def _without_the_same_ends(before: str, after: str) -> tuple[str, str]:
    """Shortens the common ends of two long words to show where they differ."""
    start = _same_start(before, after)
    rest = min(len(before), len(after)) - start
    end = min(rest, _same_start(before[::-1], after[::-1]))
    if max(len(before), len(after)) <= _LONG_WORD:
        return before, after
    return _ends_cut(before, start, end), _ends_cut(after, start, end)


def _same_start(one: str, other: str) -> int:
    pairs = enumerate(zip(one, other, strict=False))
    return next((place for place, (here, there) in pairs if here != there), min(len(one), len(other)))


def _ends_cut(word: str, start: int, end: int) -> str:
    middle = word[start : len(word) - end]
    head = word[:start] if start <= 12 else f"…{word[start - 8 : start]}"
    tail = word[len(word) - end :] if end <= 12 else f"{word[len(word) - end :][:8]}…"
    return head + middle + tail


LABEL_WIDTH = 9
# The order in which blocks give up lines.
FIRST, MIDDLE, LAST = 0, 1, 2
_AIR = (8, 10, 13)  # blank lines before the trigger, the words and the notes


class Block(NamedTuple):
    """Lines that belong together; the first `least` stay if there is no room for all.

    Where even the least of all blocks is too much, each gives up more, down to its floor.
    """

    lines: list[Text]
    least: int
    rank: int = MIDDLE
    floor: int = 1


def fit(blocks: Sequence[Block], height: int, width: int) -> list[Text]:
    """Removes lines until everything fits; the last line of a block that was cut ends with an ellipsis."""
    kept = _kept(blocks, height)
    # Blank lines only if there is room for all of them.
    airy = sum(kept) + len(_AIR) <= height
    shown: list[Text] = []
    for place, (number, block) in enumerate(zip(kept, blocks, strict=True)):
        part = block.lines[:number]
        shown += [Text()] if airy and place in _AIR and part else []
        if number < len(block.lines) and part:
            part[-1] = _with_ellipsis(part[-1], width)
        shown += part
    return shown


def _kept(blocks: Sequence[Block], height: int) -> list[int]:
    """Returns how many lines of each block are shown."""
    kept = [len(block.lines) for block in blocks]
    for limits in ([block.least for block in blocks], [block.floor for block in blocks]):
        while sum(kept) > height:
            spare = [(block.rank, limit - number) for number, block, limit in zip(kept, blocks, limits, strict=True)]
            able = [place for place, (_, missing) in enumerate(spare) if missing < 0]
            if not able:
                break
            kept[min(able, key=lambda place: spare[place])] -= 1
    return kept


def _with_ellipsis(line: Text, width: int) -> Text:
    marked = line.copy()
    marked.rstrip()
    if marked.plain.endswith("…"):
        return marked
    marked.truncate(width - 2)
    return marked.append(" …")


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
    """Prints one line per lesson below the columns, cut to the screen; lessons that do not fit are only counted.

    The last column is text, which is folded below its own start if there is room for all of it.
    """
    console = Console(highlight=False)
    width = max(40, console.width) - 1
    console.print(Text(columns, style="bold"))
    room = max(3, console.height - other_rows)
    shown = rows if len(rows) <= room else rows[: room - 1]
    start = len(columns) - len(columns.split()[-1])
    folded = [line for row in shown for line in _hanging(Text(row), start, width)]
    whole = len(shown) == len(rows) and len(folded) <= room
    for line in folded if whole else [cut(row, width) for row in shown]:
        console.print(line, no_wrap=True)
    if len(shown) < len(rows):
        console.print(Text(f"… and {len(rows) - len(shown)} more", style="dim"))
    for line in wrapped(Text(meaning, style="dim"), width):
        console.print(line)


def _hanging(row: Text, start: int, width: int) -> list[Text]:
    figures, words = row[:start], row[start:]
    return [
        (Text(" " * start) if number else figures) + line
        for number, line in enumerate(wrapped(words, max(20, width - start)))
    ]
