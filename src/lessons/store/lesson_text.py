"""Splits the text of `lessons.json` into its records, and joins it again around those that changed."""

import re
from array import array
from collections.abc import Iterator
from itertools import accumulate
from typing import NamedTuple

import msgspec

from lessons.json_document import Style, render_part, strict
from lessons.store.file_text import Copy, FileText, copying

_KEY = b'"lessons"'
_COLON = re.compile(rb"\s*:\s*")
_GAP = re.compile(rb"[\s,]*")
# Levels: the document, its list, a record.
_RECORD_DEPTH = 2


class Place(int):
    """The position of a record that is unchanged in the text."""


class LessonText(NamedTuple):
    """The text, the range of its list of records, and the position of each record."""

    source: bytes | FileText
    opening: int
    closing: int
    starts: "array[int]"
    lengths: "array[int]"
    gap: int  # the length of every gap between two records; 0 if they differ

    def piece(self, place: int) -> bytes:
        return self.source[self.starts[place] : self.starts[place] + self.lengths[place]]

    def between(self, first: int, last: int) -> tuple[int, int]:
        """Returns where the first of these records begins, and where the last one ends."""
        return self.starts[first], self.starts[last] + self.lengths[last]

    def shell(self) -> str:
        """Returns the document without its records."""
        return (self.source[: self.opening] + b"[]" + self.source[self.closing :]).decode()


def split(content: bytes) -> LessonText | None:
    """Returns None if the layout of the text does not show where the list of records is."""
    try:
        listed = msgspec.json.decode(content, type=dict[str, msgspec.Raw])["lessons"]
        pieces = msgspec.json.decode(listed, type=list[msgspec.Raw])
    except (msgspec.MsgspecError, KeyError, UnicodeDecodeError, RecursionError):
        return None
    colon = _COLON.match(content, content.find(_KEY) + len(_KEY))
    if colon is None:
        return None
    # Another list of this length elsewhere is noticed: the shell then still contains the records.
    opening, closing = colon.end(), colon.end() + len(memoryview(listed))
    starts, lengths = array("Q"), array("I")
    at = opening + 1
    for piece in pieces:
        data = bytes(piece)
        if (gap := _GAP.match(content, at)) is None or not content.startswith(data, at := gap.end()):
            return None
        starts.append(at)
        lengths.append(len(data))
        at += len(data)
    return LessonText(content, opening, closing, starts, lengths, _gap(content, starts, lengths))


def _gap(content: bytes, starts: "array[int]", lengths: "array[int]") -> int:
    """Returns the length of the gap between records if all gaps are the same."""
    if len(starts) < 2:
        return 0
    ends = [start + length for start, length in zip(starts, lengths, strict=True)]
    first = content[ends[0] : starts[1]]
    is_same = all(content[end:start] == first for end, start in zip(ends, starts[1:], strict=False))
    return len(first) if is_same else 0


class Spliced(NamedTuple):
    """A text with other records, each on separate lines; unchanged ones as they were."""

    text: LessonText
    items: list[Place | bytes]
    style: Style

    def chunks(self) -> Iterator[bytes]:
        text = self.text
        with copying(text.source) as copy:
            yield from copy(0, text.opening)
            yield b"[" + self._inner()
            between = b""
            for run in self._runs():
                yield between
                yield from self._run(run, copy)
                between = b"," + self._inner()
            yield self._end()
            yield from copy(text.closing, len(text.source))

    def over(self, source: bytes | FileText) -> LessonText:
        """Returns where its records are, once it is written."""
        gap = 1 + len(self._inner())
        lengths = array("I", [self.text.lengths[item] if isinstance(item, Place) else len(item) for item in self.items])
        first = self.text.opening + gap
        starts = array("Q", accumulate(map(gap.__add__, lengths[:-1]), initial=first))
        closing = starts[-1] + lengths[-1] + len(self._end())
        return LessonText(source, self.text.opening, closing, starts, lengths, gap if len(lengths) > 1 else 0)

    def _inner(self) -> bytes:
        return (self.style.newline + self.style.indent * _RECORD_DEPTH).encode()

    def _end(self) -> bytes:
        return (self.style.newline + self.style.indent + "]").encode()

    def _run(self, run: tuple[int, int] | bytes, copy: Copy) -> Iterator[bytes]:
        if isinstance(run, bytes):
            yield run
        else:
            yield from copy(*self.text.between(*run))

    def _runs(self) -> Iterator[tuple[int, int] | bytes]:
        """Yields new records, and the first and last position of each run of unchanged records."""
        has_usual_gaps = self.text.gap > 0 and self._has_usual_gap()
        first = last = -1
        for item in self.items:
            if has_usual_gaps and first >= 0 and isinstance(item, Place) and item == last + 1:
                last = int(item)
                continue
            if first >= 0:
                yield first, last
            first = last = int(item) if isinstance(item, Place) else -1
            if isinstance(item, bytes):
                yield item
        if first >= 0:
            yield first, last

    def _has_usual_gap(self) -> bool:
        text = self.text
        end = text.starts[0] + text.lengths[0]
        return text.source[end : text.starts[1]] == b"," + self._inner()


def spliced(text: LessonText, items: list[object], style: Style) -> Spliced | None:
    """Returns the text with these records; one that is still a position stays as written.

    Returns None if the text has its own layout: then all of it is rewritten.
    """
    if not text.lengths or not items:
        return None
    if any(_again(piece, style) != piece for piece in (text.piece(0), text.piece(len(text.lengths) - 1))):
        return None
    return Spliced(text, [item if isinstance(item, Place) else _rendered(item, style) for item in items], style)


def _again(piece: bytes, style: Style) -> bytes:
    return _rendered(strict(piece.decode()), style)


def _rendered(record: object, style: Style) -> bytes:
    return render_part(record, style, _RECORD_DEPTH).encode()
