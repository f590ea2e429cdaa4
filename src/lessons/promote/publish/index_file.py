"""Packs records and the grams that lead to them into the bytes of `hook-index`; store/hook_index.py reads them."""

import marshal
import sys
from typing import Any

from lessons.store.hook_index import MAGIC, SEVERAL, SPREAD, checksum, regex_stamp, stamp

# offset, slots, whether there are grams of two bytes, checksum of the whole
Table = tuple[int, int, bool, int]
# kind of text -> for each pattern the sets of literals of which each match contains one
Needs = dict[str, list[list[tuple[str, ...]]]]


def pack(
    manifest: tuple[int, int],
    config: dict[str, object],
    records: list[tuple[str, Needs, dict[str, Any]]],
    keys: list[dict[str, set[int] | None]],
    session_start: list[int],
    sources: tuple[tuple[int, int], ...] = (),
) -> bytes:
    """The whole file; `keys` tells for each record and kind of text its grams, or None for "always look"."""
    always, tools, postings = _by_kind(keys)
    stored: list[Any] = [(identifier, needs, marshal.dumps(entry)) for identifier, needs, entry in records]
    body = bytearray()
    tables: dict[str, Table] = {}
    for kind, by_gram in postings.items():
        slots, data = _table(by_gram, stored)
        tables[kind] = (len(body), slots, any(gram < 65536 for gram in by_gram), checksum(data))
        body += data
    directory = _add_records(body, stored)
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
            "directory": directory,
            "sessionStart": session_start,
            "bodyLength": len(body),
            "lessons": len(records),
        }
    )
    lengths = len(head).to_bytes(8, "little") + checksum(head).to_bytes(8, "little")
    return MAGIC + lengths + head + bytes(body)


def _add_records(body: bytearray, stored: list[Any]) -> int:
    """Adds the records and behind them their directory; returns where that begins."""
    directory = bytearray()
    for record in stored:
        data = marshal.dumps(record)
        for number in (len(body), len(data), checksum(data)):
            directory += number.to_bytes(4, sys.byteorder)
        body += data
    start = len(body)
    body += directory
    return start


def _by_kind(
    keys: list[dict[str, set[int] | None]],
) -> tuple[dict[str, list[int]], dict[str, list[int]], dict[str, dict[int, list[int]]]]:
    """The lessons to look at always, those of each tool, and those of each gram."""
    always: dict[str, list[int]] = {}
    tools: dict[str, list[int]] = {}
    postings: dict[str, dict[int, list[int]]] = {}
    for number, by_kind in enumerate(keys):
        for kind, grams in by_kind.items():
            if kind.startswith("tool:"):
                tools.setdefault(kind[5:], []).append(number)
            elif grams is None:
                always.setdefault(kind, []).append(number)
            else:
                for gram in grams:
                    postings.setdefault(kind, {}).setdefault(gram, []).append(number)
    return always, tools, postings


def _table(by_gram: dict[int, list[int]], stored: list[Any]) -> tuple[int, bytes]:
    """Slots of three words (gram, value, check); lists of several lessons are added to the stored records."""
    # Half of the slots stay empty, so that a gram that is not there is known to be missing after a step or two.
    slots = 2 * len(by_gram) + 1
    words = [0, 0, 1] * slots
    for gram, numbers in sorted(by_gram.items()):
        value = numbers[0]
        if len(numbers) > 1:
            value = SEVERAL + len(stored)
            stored.append(numbers)
        slot = 3 * (gram * SPREAD % slots)
        while words[slot]:
            slot = (slot + 3) % (3 * slots)
        words[slot : slot + 3] = gram, value, slot_check(gram, value)
    return slots, b"".join(word.to_bytes(4, sys.byteorder) for word in words)


def slot_check(key: int, value: int) -> int:
    """The third word of a slot; an empty slot is 0, 0, 1."""
    return (key * 31 + value * 17 + 1) & 0xFFFFFFFF
