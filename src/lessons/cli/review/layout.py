"""Arranges labelled blocks of lines on a screen of a given size."""

from collections.abc import Sequence
from typing import NamedTuple

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

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
