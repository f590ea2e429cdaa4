"""Joins what was made now with what the build before made of the unchanged lessons."""

from collections.abc import Iterator, Mapping
from itertools import accumulate
from typing import NamedTuple

from lessons.promote.publish.compile import New
from lessons.promote.publish.index_keys import Ways, count_grams, keys_among
from lessons.promote.publish.parts import Part
from lessons.store.compiled_lessons import Places, Stored
from lessons.store.compiled_rows import NO_NUMBER, Row, Rows
from lessons.store.postings import Postings

_NOTHING_BEFORE = Places(0, 0, (0.0, 0.0))


class Merged(NamedTuple):
    """The rows of this build, the postings of its index, and the parts of the manifest and of the index."""

    rows: Rows
    postings: Postings
    texts: list[Part]
    records: list[Part]


def merge(rows: list[int | Row], new: Mapping[bytes, New], stored: Stored | None) -> Merged:
    """The rows in this order; a number is a place in the build before, whose postings are used up."""
    before, postings, places, _ = stored or Stored(Rows(), Postings(), _NOTHING_BEFORE)
    _choose_keys(rows, new, postings.frequency)
    _remove_gone(rows, before, postings)
    merged = Merged(Rows(), postings, [], [])
    with_separators = (length + 1 if length else 0 for length in before.entry_lengths)
    entries = list(accumulate(with_separators, initial=places.first_entry))
    records = list(accumulate(before.record_lengths, initial=places.first_record))
    for start, stop, row in _runs(rows):
        if row is not None:
            _append(merged, row, new.get(row.digest))
            continue
        merged.rows.extend(before, start, stop)
        if entries[start] < entries[stop]:
            merged.texts.append((b"", entries[start], entries[stop] - 1 - entries[start]))
            merged.records.append((b"", records[start], records[stop] - records[start]))
    return merged


def _append(merged: Merged, row: Row, new: New | None) -> None:
    made = row.compiled
    if new is None or made is None:
        merged.rows.append(row)
        return
    merged.rows.append(row, merged.postings.add(made.keys, made.session_start))
    merged.texts.append((new.text, 0, 0))
    merged.records.append((new.record, 0, 0))


def _choose_keys(rows: list[int | Row], new: Mapping[bytes, New], frequency: dict[int, int]) -> None:
    """The grams by which the index finds each new lesson; those of the build before will do as well as any."""
    made = [(row.compiled, new[row.digest].ways) for row in rows if isinstance(row, Row) and row.digest in new]
    for _, ways in made:
        count_grams(Ways.from_bytes(ways), frequency)
    for compiled, ways in made:
        if compiled is not None:
            found = keys_among(Ways.from_bytes(ways), frequency)
            compiled.keys = {kind: None if grams is None else tuple(sorted(grams)) for kind, grams in found.items()}


def _remove_gone(rows: list[int | Row], before: Rows, postings: Postings) -> None:
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


def _runs(rows: list[int | Row]) -> Iterator[tuple[int, int, Row | None]]:
    """Each row by itself, and places that follow each other as one run from the first to behind the last."""
    start = stop = 0
    for row in rows:
        if row == stop and start < stop:
            stop += 1
            continue
        if start < stop:
            yield start, stop, None
        if isinstance(row, Row):
            yield 0, 0, row
            start = stop = 0
        else:
            start, stop = row, row + 1
    if start < stop:
        yield start, stop, None
