"""Decides for each line of a Markdown text whether it is in a code block or a quotation."""

import re

# Backticks closed on the same line are a word of a sentence.
_FENCE = re.compile(r"(?:(?:[-*+•]|\d{1,2}[.)])[ \t]+)?(`{3,}(?=[^`]*$)|~{3,})")
_ELEMENT = re.compile(r"<(pre|blockquote|code)\b", re.IGNORECASE)


class Quotation:
    """Tracks the fences and elements that a text opens; an unclosed one extends to the end."""

    __slots__ = ("_end",)

    def __init__(self) -> None:
        self._end = ""  # what closes the open one

    def covers(self, line: str) -> bool:
        """Whether the line opens, continues or closes one, or is itself quoted or indented."""
        words = line.strip(" \t")
        if self._end:
            if self._is_closed_by(words):
                self._end = ""
            return True
        if words.startswith((">", "<", "`", "~")) or "```" in words or "~~~" in words:
            self._open(words)
        return bool(self._end) or line.startswith((" ", "\t", ">"))

    def _open(self, words: str) -> None:
        if fence := _FENCE.match(words):
            self._end = fence[1]
        elif (element := _ELEMENT.match(words)) and f"</{element[1].lower()}" not in words.lower():
            self._end = f"</{element[1].lower()}"

    def _is_closed_by(self, words: str) -> bool:
        if self._end.startswith("<"):
            return self._end in words.lower()
        return words.startswith(self._end) and not words.strip(self._end[0])
