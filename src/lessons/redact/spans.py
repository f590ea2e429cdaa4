"""A text whose secrets are cut out, with the lines of a continued command joined while it is searched."""

import re
from typing import NamedTuple

Span = tuple[int, int, str]

# The end of a line that continues: `\` in shells, also with backslash and newline escaped as in JSON, once or several
# times, or with the newline replaced by a space; a backtick in PowerShell and `^` in cmd. Then the indentation of the
# next line. Starts at the first backslash of a run only, so each run is read once.
_CONTINUED = re.compile(
    r"[\\`^](?:(?<=(?<!\\)\\)(?:\\{0,7}\r?\n[ \t]*|(?<= \\) +|(?:\\{2}|\\{5}|\\{11})(?:r\\{1,4})?n(?:[ \t]|\\{1,4}t)*)"
    r"|(?<=\S [`^])\r?\n[ \t]*)"
)


class _Break(NamedTuple):
    position: int  # in the joined text
    width: int  # of what joins the lines: a space, or nothing
    start: int  # in the text as it was
    end: int


class Text:
    """The text with its secrets replaced by markers, one family of secrets after the other."""

    def __init__(self, text: str) -> None:
        self.text = self._original = text
        self._breaks: list[_Break] = []

    @classmethod
    def joined(cls, text: str) -> "Text | None":
        """Joins continued lines as a shell does, but with one space for all blanks; None if no line continues."""
        whole = cls(text)
        parts: list[str] = []
        length = position = 0
        for match in _CONTINUED.finditer(text):
            line = text[position : match.start()].rstrip(" \t")
            start = position + len(line)
            width = int(start < match.start() or match[0][-1] not in "\nn")
            if not line and whole._breaks:  # an empty line that continues too
                length, before, start, _ = whole._breaks.pop()
                width = max(width, before)
                parts.pop()
            parts += (line, " " * width)
            length += len(line)
            position = match.end()
            whole._breaks.append(_Break(length, width, start, position))
            length += width
        whole.text = "".join((*parts, text[position:]))
        return whole if whole._breaks else None

    def restored(self) -> str:
        """Returns the text with its lines as they were; a line break inside a secret is gone with it."""
        parts: list[str] = []
        position = 0
        for each in self._breaks:
            parts += (self.text[position : each.position], self._original[each.start : each.end])
            position = each.position + each.width
        return "".join((*parts, self.text[position:])) if parts else self.text

    def cut(self, spans: list[Span]) -> None:
        """Merges overlapping spans: from the first start to the last end, with the kind of the first."""
        if not spans:
            return
        merged: list[Span] = []
        for start, end, kind in sorted(spans):
            if merged and start < merged[-1][1]:
                first, last, kind = merged[-1]
                merged[-1] = (first, max(last, end), kind)
            else:
                merged.append((start, end, kind))
        if self._breaks:
            self._move_breaks(merged)
        parts: list[str] = []
        position = 0
        for start, end, kind in merged:
            parts += (self.text[position:start], _marker(kind))
            position = end
        parts.append(self.text[position:])
        self.text = "".join(parts)

    def _move_breaks(self, spans: list[Span]) -> None:
        kept: list[_Break] = []
        number = moved = 0
        for each in self._breaks:
            while number < len(spans) and spans[number][1] <= each.position:
                start, end, kind = spans[number]
                moved += len(_marker(kind)) - (end - start)
                number += 1
            if number == len(spans) or spans[number][0] >= each.position + each.width:
                kept.append(each._replace(position=each.position + moved))
        self._breaks = kept


def continues(text: str) -> bool:
    """Whether a line may continue; much cheaper than joining, and every text is asked."""
    if "\\" in text and (
        "\\\n" in text or "\\\r\n" in text or " \\ " in text or "\\\\\\n" in text or "\\\\\\r" in text
    ):
        return True
    return ("`" in text and (" `\n" in text or " `\r\n" in text)) or (
        "^" in text and (" ^\n" in text or " ^\r\n" in text)
    )


def _marker(kind: str) -> str:
    return f"[redacted:{kind}]"
