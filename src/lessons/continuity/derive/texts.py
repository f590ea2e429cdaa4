"""Makes a text from a transcript safe to keep: no secrets, no control characters, a bounded length."""

import re

from lessons.redact.texts import redacted_start

# Read past the limit, so that what is taken out, a secret across the cut above all, does not shorten what is kept.
_BEYOND = 8_192
_ESCAPES = re.compile(r"\x1b(?:\[[0-?]{0,64}[ -/]{0,8}[@-~]|\][^\x07\x1b]{0,2000}(?:\x07|\x1b\\)|[@-Z\\^_])")
# Controls but tab and line end, marks that turn the direction of a text, and letters that nobody sees.
_UNSEEN = dict.fromkeys(
    (
        *(number for number in (*range(32), *range(127, 160)) if number not in (9, 10)),
        *(0x200B, 0x200E, 0x200F, 0xFEFF, *range(0x202A, 0x202F), *range(0x2060, 0x206A), *range(0xE0000, 0xE0080)),
    )
)
_SEPARATORS = {0x2028: "\n", 0x2029: "\n"}
_UNWANTED = {**_UNSEEN, **_SEPARATORS}


def kept(text: str, limit: int) -> str:
    """At most so many characters; a dotted end says that there was more."""
    piece = text[: limit + _BEYOND]
    if not piece.isascii() or not piece.isprintable():
        if "\x1b" in piece:
            piece = _ESCAPES.sub("", piece)
        piece = piece.translate(_UNWANTED).encode("utf-8", "replace").decode()
    piece = piece.strip()
    clean = redacted_start(piece, limit)
    return clean[: limit - 1] + "…" if len(clean) == limit < len(piece) else clean


def kept_line(text: str, limit: int) -> str:
    """The same on one line."""
    return kept(" ".join(text[: 2 * limit + _BEYOND].split()), limit)
