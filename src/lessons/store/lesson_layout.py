"""Stores the position of each record of a `lessons.json`, so that the same text need not be split again."""

import re
from array import array
from itertools import accumulate

import msgspec

from lessons.store.compiled_rows import split_digests
from lessons.store.file_text import FileText
from lessons.store.lesson_text import LessonText

_SURROGATE = re.compile("[\ud800-\udfff]")


class Layout(msgspec.Struct, array_like=True, frozen=True):
    """For a text with the same gap between all records; valid for this length and checksum only."""

    size: int
    check: int
    opening: int
    closing: int
    first: int  # where the first record begins
    gap: int
    lengths: bytes
    digests: bytes
    names: list[tuple[str, ...]]

    def text(self, source: bytes | FileText) -> LessonText:
        lengths = array("I", self.lengths)
        ahead = accumulate(map(self.gap.__add__, lengths[:-1]), initial=self.first)
        return LessonText(source, self.opening, self.closing, array("Q", ahead), lengths, self.gap)

    def each_digest(self) -> list[bytes]:
        return split_digests(self.digests)


def layout_of(text: LessonText, check: int, digests: list[bytes], names: list[tuple[str, ...]]) -> Layout | None:
    """Returns None if the records are too irregular to store briefly, or a name has half a surrogate pair."""
    if not text.gap or any(_SURROGATE.search(name) for each in names for name in each if not name.isascii()):
        return None
    lengths = text.lengths.tobytes()
    return Layout(
        size=len(text.source),
        check=check,
        opening=text.opening,
        closing=text.closing,
        first=text.starts[0],
        gap=text.gap,
        lengths=lengths,
        digests=b"".join(digests),
        names=names,
    )
