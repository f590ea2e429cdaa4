"""Shows the failed and the working command line by line, with removed words in red and added ones in green."""

import re
from difflib import SequenceMatcher

from rich.cells import cell_len
from rich.text import Text

from lessons.cli import render
from lessons.cli.review.excerpt import excerpt

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
