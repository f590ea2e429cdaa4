"""Cleans texts of a candidate for a lesson: they come from transcripts and may contain anything."""

import unicodedata

LONGEST_TEXT = 1200
LONGEST_REASON = 600
# Joiners that letters of some scripts need; everything else invisible is removed.
_JOINERS = "\u200c\u200d"
_INVISIBLE = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")


def plain(text: str, longest: int = LONGEST_TEXT) -> str:
    """Returns the text without control and invisible characters, cut at a word if it is too long."""
    # Much longer than the result: a text that is cut first need not be scanned completely.
    kept = "".join(map(_visible, text[: 4 * longest])).strip()
    return shortened(kept, longest)


def one_line(text: str, longest: int) -> str:
    """Returns the same on one line, without the sign that something was cut off."""
    line = " ".join(plain(text, 4 * longest).split())
    return shortened(line, longest).rstrip(" …").removesuffix("...").rstrip()


def shortened(text: str, longest: int) -> str:
    if len(text) <= longest:
        return text
    cut = text[: longest + 1]
    end = max(cut.rfind(" "), cut.rfind("\n"))
    return (cut[:end] if end > longest // 2 else cut[:longest]).rstrip()


def _visible(letter: str) -> str:
    kind = unicodedata.category(letter)
    if kind == "Zs":
        return " "  # of any width
    if letter in "\n\t" or letter in _JOINERS or kind not in _INVISIBLE:
        return letter
    return "\n" if letter in "\u2028\u2029\x85" else ""
