"""Finds the line of a text that contains the searched words, and their positions in it."""

import re
import unicodedata
from collections.abc import Sequence

from rich.cells import cell_len

_HEADING = re.compile(r"Exit code \d+")
_TOKEN = re.compile(r"[^\W_]+")


class Words:
    """Matches words as the index does: ignores case, accents and the signs between words."""

    def __init__(self, words: Sequence[str]) -> None:
        self._patterns = [pattern for word in words if (pattern := _pattern(word))]

    def places(self, text: str) -> list[tuple[int, int]]:
        """Returns their positions from left to right; overlapping ones are joined."""
        folded = _folded(text)
        found = sorted(match.span() for pattern in self._patterns for match in pattern.finditer(folded))
        joined: list[tuple[int, int]] = []
        for start, end in found:
            if joined and start <= joined[-1][1]:
                joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
            else:
                joined.append((start, end))
        return joined


def excerpt(text: str, words: Words, width: int) -> str:
    """Returns the first line with one of the words, else the first with content; cut to the width around the words."""
    lines = [" ".join(line.split()) for line in text.splitlines() if line.strip()] or [""]
    telling = [each for each in lines if not _HEADING.fullmatch(each)] or lines
    line = next((each for each in lines if words.places(each)), telling[0])
    if len(lines) > 1 and line is not lines[-1]:
        line += " …"
    if cell_len(line) <= width:
        return line
    start = next(iter(words.places(line)), (0, 0))[0]
    if cell_len(line[:start]) > width // 2:
        line = "…" + line[max(0, start - width // 4) :].lstrip()
    if cell_len(line) > width:
        while cell_len(line) >= width:
            line = line[: min(len(line) - 1, width)]
        line = line.rstrip() + "…"
    return line


def _pattern(word: str) -> re.Pattern[str] | None:
    stem = word.rstrip("*")
    tokens = _TOKEN.findall(_folded(stem))
    if not tokens:
        return None
    any_ending = stem != word and bool(_TOKEN.match(stem[-1]))
    end = "[^\\W_]*" if any_ending else r"(?![^\W_])"
    return re.compile(r"(?<![^\W_])" + r"[\W_]+".join(map(re.escape, tokens)) + end)


def _folded(text: str) -> str:
    """Returns the text in lower case without accents, character by character, so that positions stay the same."""
    return text.lower() if text.isascii() else "".join(map(_plain, text))


def _plain(character: str) -> str:
    plain = unicodedata.normalize("NFD", character)[0].lower()
    return plain if len(plain) == 1 else character
