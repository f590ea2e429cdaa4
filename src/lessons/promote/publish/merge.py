"""Joins what was made now with what the build before made of the unchanged lessons."""

from collections.abc import Iterator
from itertools import accumulate
from typing import NamedTuple

from lessons.promote.publish.index_keys import Ways, count_grams, keys_among
from lessons.promote.publish.parts import Part
from lessons.promote.publish.spool import NewRow
from lessons.store.compiled_lessons import Places, Stored
from lessons.store.compiled_rows import NO_NUMBER, Rows
from lessons.store.postings import Postings

_NOTHING_BEFORE = Places(0, 0, (0.0, 0.0))


class Merged(NamedTuple):
    """The rows of this build, the postings of its index, and the parts of the manifest and of the index."""

    rows: Rows
    postings: Postings
    texts: list[Part]
    records: list[Part]


def merge(rows: list[int | NewRow], stored: Stored | None) -> Merged:
    """The rows in this order; a number is a place in the build before, whose postings are used up."""
    before, postings, places, _ = stored or Stored(Rows(), Postings(), _NOTHING_BEFORE)
    _count_grams(rows, postings.frequency)
    _remove_gone(rows, before, postings)
    merged = Merged(Rows(), postings, [], [])
    with_separators = (length + 1 if length else 0 for length in before.entry_lengths)
    entries = list(accumulate(with_separators, initial=places.first_entry))
    records = list(accumulate(before.record_lengths, initial=places.first_record))
    for start, stop, row in _runs(rows):
        if row is not None:
            _append(merged, row)
            continue
        merged.rows.extend(before, start, stop)
        if entries[start] < entries[stop]:
            merged.texts.append((None, entries[start], entries[stop] - 1 - entries[start]))
            merged.records.append((None, records[start], records[stop] - records[start]))
    return merged


def _append(merged: Merged, new: NewRow) -> None:
    row = new.row()
    made = row.compiled
    if made is None or not new.is_published:
        merged.rows.append(row)
        return
    made.keys = _keys(Ways.from_bytes(new.ways()), merged.postings.frequency)
    merged.rows.append(row, merged.postings.add(made.keys, made.session_start))
    merged.texts.append((new.text(), 0, 0))
    merged.records.append((new.record(), 0, 0))


def _count_grams(rows: list[int | NewRow], frequency: dict[int, int]) -> None:
    """All of them, before the first key is chosen; the keys of the build before will do as well as any."""
    for row in rows:
        if isinstance(row, NewRow) and row.is_published:
            count_grams(Ways.from_bytes(row.ways()), frequency)


def _keys(ways: Ways, frequency: dict[int, int]) -> dict[str, tuple[int, ...] | None]:
    """The grams by which the index finds a new lesson."""
    found = keys_among(ways, frequency)
    return {kind: None if grams is None else tuple(sorted(grams)) for kind, grams in found.items()}


def _remove_gone(rows: list[int | NewRow], before: Rows, postings: Postings) -> None:
    """Takes the lessons of the build before that are not in this one out of the postings."""
    stays = bytearray(len(before))
    for start, stop, row in _runs(rows):
        if row is None:
            stays[start:stop] = b"\1" * (stop - start)
    place = stays.find(0)
    while place >= 0:
        number, made = before.numbers[place], before.row(place).compiled
        if number != NO_NUMBER and made is not None:
            postings.remove(number, made.keys, made.session_start)
        place = stays.find(0, place + 1)


def _runs(rows: list[int | NewRow]) -> Iterator[tuple[int, int, NewRow | None]]:
    """Each row by itself, and places that follow each other as one run from the first to behind the last."""
    start = stop = 0
    for row in rows:
        if row == stop and start < stop:
            stop += 1
            continue
        if start < stop:
            yield start, stop, None
        if isinstance(row, NewRow):
            yield 0, 0, row
            start = stop = 0
        else:
            start, stop = row, row + 1
    if start < stop:
        yield start, stop, None
