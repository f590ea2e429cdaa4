"""Packs records and the grams that lead to them into the bytes of `hook-index`; store/hook_index.py reads them."""

import marshal
from array import array
from collections.abc import Mapping
from itertools import accumulate
from typing import Any, NamedTuple

from lessons.store.compiled_rows import NO_NUMBER, Rows
from lessons.store.hook_index import MAGIC, SEVERAL, SPREAD, checksum, regex_stamp, stamp
from lessons.store.postings import Postings

# offset, slots, whether there are grams of two bytes, checksum of the whole
Table = tuple[int, int, bool, int]
# kind of text -> for each pattern, sets of literals; each match contains one of each set
Needs = dict[str, list[list[tuple[str, ...]]]]


class Packed(NamedTuple):
    """The parts before and after the records."""

    before: bytes
    after: bytes


def record_of(identifier: str, needs: Needs, entry: dict[str, Any]) -> bytes:
    return marshal.dumps((identifier, needs, marshal.dumps(entry)))


def pack(
    manifest: tuple[int, int],
    config: dict[str, object],
    rows: Rows,
    postings: Postings,
    sources: tuple[tuple[int, int], ...] = (),
) -> Packed:
    """Returns all but the records, which are in the order of the rows."""
    several: list[bytes] = []
    tables, body = _tables(postings.grams, postings.numbers, several)
    directory = _directory(len(body), rows, postings.numbers, several)
    directory_at = len(body) + sum(rows.record_lengths) + sum(map(len, several))
    head = marshal.dumps(
        {
            "stamp": stamp(),
            "regexes": regex_stamp(),
            "manifest": manifest,
            "sources": sources,
            "config": config,
            "tables": tables,
            "always": postings.always,
            "tools": postings.tools,
            "directory": directory_at,
            "sessionStart": sorted(postings.session_start),
            "bodyLength": directory_at + len(directory),
            "lessons": len(rows) - rows.numbers.count(NO_NUMBER),
            "numbers": postings.numbers,
        }
    )
    lengths = len(head).to_bytes(8, "little") + checksum(head).to_bytes(8, "little")
    return Packed(MAGIC + lengths + head + body, b"".join(several) + directory)


def _tables(
    postings: Mapping[str, dict[int, list[int]]], records: int, several: list[bytes]
) -> tuple[dict[str, Table], bytes]:
    """Returns the position of the table of each kind of text, and all tables; adds their references to `several`."""
    body = bytearray()
    tables: dict[str, Table] = {}
    for kind, by_gram in postings.items():
        slots, data = _table(by_gram, records, several)
        tables[kind] = (len(body), slots, any(gram < 65536 for gram in by_gram), checksum(data))
        body += data
    return tables, bytes(body)


def _directory(start: int, rows: Rows, numbers: int, several: list[bytes]) -> bytes:
    """Returns start, length and checksum of each record, by number; zeros if no lesson has the number."""
    words = array("I", bytes(12 * (numbers + len(several))))
    starts = array("I", accumulate(rows.record_lengths[:-1], initial=start))
    if rows.numbers == array("I", range(numbers)):  # no lesson was left out or removed
        for at, column in enumerate((starts, rows.record_lengths, rows.record_checks) if numbers else ()):
            words[at : 3 * numbers : 3] = column
    else:
        for number, *place in zip(rows.numbers, starts, rows.record_lengths, rows.record_checks, strict=False):
            if number != NO_NUMBER:
                words[3 * number : 3 * number + 3] = array("I", place)
    start += sum(rows.record_lengths)
    for number, data in enumerate(several, start=numbers):
        words[3 * number : 3 * number + 3] = array("I", (start, len(data), checksum(data)))
        start += len(data)
    return words.tobytes()


def _table(by_gram: dict[int, list[int]], first: int, several: list[bytes]) -> tuple[int, bytes]:
    """Builds slots of three words (gram, value, check); lists of several lessons become records from `first` on."""
    # Half of the slots stay empty, so that a missing gram is detected after a step or two.
    slots = 2 * len(by_gram) + 1
    words = array("I", (0, 0, 1)) * slots
    for gram, numbers in sorted(by_gram.items()):
        value = numbers[0]
        if len(numbers) > 1:
            value = SEVERAL + first + len(several)
            several.append(marshal.dumps(numbers))
        slot = 3 * (gram * SPREAD % slots)
        while words[slot]:
            slot = (slot + 3) % (3 * slots)
        words[slot], words[slot + 1], words[slot + 2] = gram, value, slot_check(gram, value)
    return slots, words.tobytes()


def slot_check(key: int, value: int) -> int:
    """Returns the third word of a slot; an empty slot is 0, 0, 1."""
    return (key * 31 + value * 17 + 1) & 0xFFFFFFFF
