"""The text of `lessons.json` cut into its records, and put together again around those that changed."""

import re
from typing import NamedTuple

import msgspec

from lessons.json_document import Style, render_part, strict

_KEY = b'"lessons"'
_COLON = re.compile(rb"\s*:\s*")
# The document, its list, a record.
_RECORD_DEPTH = 2


class LessonText(NamedTuple):
    """Every record as it stands in the text, and what stands before and after the list of them."""

    before: bytes
    pieces: list[msgspec.Raw]
    after: bytes
    listed: bytes | msgspec.Raw = b""  # all of them, as they stand in the text; empty where that is not at hand

    def joined(self, style: Style) -> bytes:
        """The whole text, every record on lines of its own."""
        newline = style.newline.encode()
        inner = newline + (style.indent * _RECORD_DEPTH).encode()
        listed = (b"[", inner, (b"," + inner).join(self.pieces), newline, style.indent.encode(), b"]")
        return b"".join((self.before, *listed, self.after))

    def shell(self) -> str:
        """The document without its records."""
        return (self.before + b"[]" + self.after).decode()


def split(content: bytes) -> LessonText | None:
    """None if the text is not laid out so that it can be told where the list of records stands."""
    try:
        listed = msgspec.json.decode(content, type=dict[str, msgspec.Raw])["lessons"]
        pieces = msgspec.json.decode(listed, type=list[msgspec.Raw])
    except (msgspec.MsgspecError, KeyError, UnicodeDecodeError, RecursionError):
        return None
    colon = _COLON.match(content, content.find(_KEY) + len(_KEY))
    if colon is None:
        return None
    # Another list of this length in another place shows in the shell, which then has its records still.
    start, end = colon.end(), colon.end() + len(memoryview(listed))
    return LessonText(content[:start], pieces, content[end:], listed)


def spliced(text: LessonText, items: list[object], style: Style) -> LessonText | None:
    """The text with these records; one that is still a piece stays as it was written.

    None if the text has a layout of its own: then all of it is written anew.
    """
    ends = [text.pieces[0], text.pieces[-1]] if text.pieces else []
    if not ends or not items or any(_again(piece, style) != bytes(piece) for piece in ends):
        return None
    pieces = [item if isinstance(item, msgspec.Raw) else msgspec.Raw(_rendered(item, style)) for item in items]
    return LessonText(text.before, pieces, text.after)


def _again(piece: msgspec.Raw, style: Style) -> bytes:
    return _rendered(strict(bytes(piece).decode()), style)


def _rendered(record: object, style: Style) -> bytes:
    return render_part(record, style, _RECORD_DEPTH).encode()
