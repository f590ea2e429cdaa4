"""Makes a text from a transcript safe to store: no secrets, no control characters, bounded length."""

import re

from lessons.plain import without_hidden
from lessons.redact.texts import redacted_start

# Read past the limit, so that removed parts, such as a secret across the cut, do not shorten the stored text.
_BEYOND = 8_192
_ESCAPES = re.compile(r"\x1b(?:\[[0-?]{0,64}[ -/]{0,8}[@-~]|\][^\x07\x1b]{0,2000}(?:\x07|\x1b\\)|[@-Z\\^_])")


def storable(text: str, limit: int) -> str:
    """Returns at most `limit` characters; a final ellipsis marks a cut."""
    piece = text[: limit + _BEYOND]
    if not piece.isascii() or not piece.isprintable():
        if "\x1b" in piece:
            piece = _ESCAPES.sub("", piece)
        piece = without_hidden(piece)
    piece = piece.strip()
    clean = redacted_start(piece, limit)
    return clean[: limit - 1] + "…" if len(clean) == limit < len(piece) else clean


def storable_line(text: str, limit: int) -> str:
    """Returns the same on one line."""
    return storable(" ".join(text[: 2 * limit + _BEYOND].split()), limit)
