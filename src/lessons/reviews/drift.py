"""Compares the review log with its sources, and makes them equal."""

from collections.abc import Mapping, Sequence

import msgspec

from lessons.code_review import ReviewEntry
from lessons.reviews.consolidate import digest

MOST_ACTIVE = 20
# From a file to the entries in it.
Sources = Mapping[str, Sequence[ReviewEntry]]


class Drift(msgspec.Struct, rename="camel", frozen=True):
    """Entries by which the log and its sources differ."""

    missing: list[ReviewEntry]  # in a source and not in the log
    changed: list[ReviewEntry]  # as the source has them now
    orphaned: list[ReviewEntry]  # no longer in their source

    def __bool__(self) -> bool:
        return bool(self.missing or self.changed or self.orphaned)


def drift(log: Sequence[ReviewEntry], sources: Sources, takes_over: bool = False) -> Drift:
    """Archived entries may be gone from their source: they are no orphans.

    A pull request may be in several files: the newest counts, and another file than that of the log only if it is
    newer, so that old output of `gh` does not come back; or if the person adds it (`takes_over`).
    """
    known = {entry.key: entry for entry in log}
    told: dict[str, ReviewEntry] = {}
    for entry in (entry for entries in sources.values() for entry in entries):
        if entry.key not in told or _newness(entry, known) > _newness(told[entry.key], known):
            told[entry.key] = entry
    return Drift(
        [entry for key, entry in told.items() if key not in known],
        [entry for key, entry in told.items() if key in known and _replaces(entry, known[key], takes_over)],
        [entry for entry in log if entry.origin.file in sources and entry.key not in told and not entry.archived],
    )


def _replaces(entry: ReviewEntry, known: ReviewEntry, takes_over: bool) -> bool:
    if takes_over or entry.origin.file == known.origin.file:
        return digest(entry) != digest(known)
    return _newness(entry)[:2] > _newness(known)[:2]


def _newness(entry: ReviewEntry, known: Mapping[str, ReviewEntry] | None = None) -> tuple[str, int, bool]:
    """The last comment, how much was found, and whether the log has it from the same file."""
    same = (known or {}).get(entry.key)
    return entry.date, entry.total, same is not None and same.origin.file == entry.origin.file


def updated(log: Sequence[ReviewEntry], changed: Sequence[ReviewEntry]) -> list[ReviewEntry]:
    """The log with these entries as their source has them now; ids and the archive stay."""
    by_key = {entry.key: entry for entry in changed}
    return [_in_place_of(entry, by_key[entry.key]) if entry.key in by_key else entry for entry in log]


def rebuilt(log: Sequence[ReviewEntry], sources: Sources) -> list[ReviewEntry]:
    """The log as its sources have it; archived entries, and those that come from no file that is read, stay."""
    found = drift(log, sources)
    gone, kept = {entry.key for entry in found.orphaned}, set[str]()
    after = []
    for entry in updated(log, found.changed):
        # The same entry of a source twice is one; two that a person wrote under one number are not the same.
        if entry.key not in gone and entry.origin.key not in kept:
            after.append(entry)
            kept |= {entry.origin.key} - {""}
    return after


def archived(log: Sequence[ReviewEntry], most: int = MOST_ACTIVE) -> list[ReviewEntry]:
    """The log with all but the newest active entries marked as archived."""
    active = sorted((entry for entry in log if not entry.archived), key=_age)
    old = {entry.key for entry in active[: max(0, len(active) - most)]}
    return [msgspec.structs.replace(entry, archived=True) if entry.key in old else entry for entry in log]


def _age(entry: ReviewEntry) -> tuple[str, int]:
    """Of the same day by its number, and else as the log has them."""
    return entry.date, entry.id if isinstance(entry.id, int) else 0


def _in_place_of(before: ReviewEntry, after: ReviewEntry) -> ReviewEntry:
    return msgspec.structs.replace(after, id=before.id, archived=before.archived)
