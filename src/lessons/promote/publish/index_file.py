"""Packs records and the grams that lead to them into the bytes of `hook-index`; store/hook_index.py reads them."""

import marshal
from array import array
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate
from typing import Any, NamedTuple

from lessons.store.hook_index import MAGIC, SEVERAL, SPREAD, checksum, regex_stamp, stamp

# offset, slots, whether there are grams of two bytes, checksum of the whole
Table = tuple[int, int, bool, int]
# kind of text -> for each pattern the sets of literals of which each match contains one
Needs = dict[str, list[list[tuple[str, ...]]]]


class Packed(NamedTuple):
    """What stands before the records, what stands behind them, and where each record comes to stand."""

    before: bytes
    after: bytes
    places: list[int]


def record_of(identifier: str, needs: Needs, entry: dict[str, Any]) -> bytes:
    return marshal.dumps((identifier, needs, marshal.dumps(entry)))


def pack(
    manifest: tuple[int, int],
    config: dict[str, object],
    records: list[tuple[int, int]],
    keys: Sequence[Mapping[str, Iterable[int] | None]],
    session_start: list[int],
    sources: tuple[tuple[int, int], ...] = (),
) -> Packed:
    """All but the records, of which the length and the checksum are given.

    `keys` tells for each record and kind of text its grams, or None for "always look".
    """
    always, tools, postings = _by_kind(keys)
    several: list[bytes] = []
    tables, body = _tables(postings, len(records), several)
    starts, directory = _directory(len(body), [*records, *((len(each), checksum(each)) for each in several)])
    head = marshal.dumps(
        {
            "stamp": stamp(),
            "regexes": regex_stamp(),
            "manifest": manifest,
            "sources": sources,
            "config": config,
            "tables": tables,
            "always": always,
            "tools": tools,
            "directory": starts[-1],
            "sessionStart": session_start,
            "bodyLength": starts[-1] + len(directory),
            "lessons": len(records),
        }
    )
    lengths = len(head).to_bytes(8, "little") + checksum(head).to_bytes(8, "little")
    before = MAGIC + lengths + head
    places = [len(before) + start for start in starts[: len(records)]]
    return Packed(before + body, b"".join(several) + directory, places)


def _tables(
    postings: Mapping[str, dict[int, list[int]]], records: int, several: list[bytes]
) -> tuple[dict[str, Table], bytes]:
    """Where the table of each kind of text stands, and all of them; adds to `several` what they refer to."""
    body = bytearray()
    tables: dict[str, Table] = {}
    for kind, by_gram in postings.items():
        slots, data = _table(by_gram, records, several)
        tables[kind] = (len(body), slots, any(gram < 65536 for gram in by_gram), checksum(data))
        body += data
    return tables, bytes(body)


def _directory(start: int, records: list[tuple[int, int]]) -> tuple[list[int], bytes]:
    """Where each record begins, and the directory that says so; the last number is where that itself begins."""
    starts = list(accumulate((length for length, _ in records), initial=start))
    words = array("I", bytes(12 * len(records)))
    words[0::3] = array("I", starts[:-1])
    words[1::3] = array("I", [length for length, _ in records])
    words[2::3] = array("I", [check for _, check in records])
    return starts, words.tobytes()


def _by_kind(
    keys: Sequence[Mapping[str, Iterable[int] | None]],
) -> tuple[dict[str, list[int]], dict[str, list[int]], dict[str, dict[int, list[int]]]]:
    """The lessons to look at always, those of each tool, and those of each gram."""
    always: dict[str, list[int]] = {}
    tools: dict[str, list[int]] = {}
    postings: dict[str, dict[int, list[int]]] = {}
    for number, by_kind in enumerate(keys):
        for kind, grams in by_kind.items():
            if grams is not None:
                by_gram = postings.setdefault(kind, {})
                for gram in grams:
                    if gram in by_gram:
                        by_gram[gram].append(number)
                    else:
                        by_gram[gram] = [number]
            elif kind.startswith("tool:"):
                tools.setdefault(kind[5:], []).append(number)
            else:
                always.setdefault(kind, []).append(number)
    return always, tools, postings


def _table(by_gram: dict[int, list[int]], first: int, several: list[bytes]) -> tuple[int, bytes]:
    """Slots of three words (gram, value, check); lists of several lessons become records from the number `first` on."""
    # Half of the slots stay empty, so that a gram that is not there is known to be missing after a step or two.
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
    """The third word of a slot; an empty slot is 0, 0, 1."""
    return (key * 31 + value * 17 + 1) & 0xFFFFFFFF
