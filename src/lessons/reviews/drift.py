"""Compares the review log with its sources, and updates it."""

from collections.abc import Mapping, Sequence

import msgspec

from lessons.code_review import ReviewEntry
from lessons.reviews.consolidate import digest

MOST_ACTIVE = 20
# From a file to its entries.
Sources = Mapping[str, Sequence[ReviewEntry]]


class Drift(msgspec.Struct, rename="camel", frozen=True):
    """Differences between the log and its sources."""

    missing: list[ReviewEntry]  # in a source and not in the log
    changed: list[ReviewEntry]  # as the source has them now
    orphaned: list[ReviewEntry]  # no longer in their source

    def __bool__(self) -> bool:
        return bool(self.missing or self.changed or self.orphaned)


def drift(log: Sequence[ReviewEntry], sources: Sources, takes_over: bool = False) -> Drift:
    """Archived entries may be missing in their source: they are not orphaned.

    A pull request may be in several files: the newest counts. A file other than the log's own counts only if it is
    newer, so that old output of `gh` does not return; or if the user adds it (`takes_over`).
    """
    known = {entry.key: entry for entry in log}
    newest: dict[str, ReviewEntry] = {}
    for entry in (entry for entries in sources.values() for entry in entries):
        if entry.key not in newest or _newness(entry, known) > _newness(newest[entry.key], known):
            newest[entry.key] = entry
    return Drift(
        [entry for key, entry in newest.items() if key not in known],
        [entry for key, entry in newest.items() if key in known and _replaces(entry, known[key], takes_over)],
        [entry for entry in log if entry.origin.file in sources and entry.key not in newest and not entry.archived],
    )


def _replaces(entry: ReviewEntry, known: ReviewEntry, takes_over: bool) -> bool:
    if takes_over or entry.origin.file == known.origin.file:
        return digest(entry) != digest(known)
    return _newness(entry)[:2] > _newness(known)[:2]


def _newness(entry: ReviewEntry, known: Mapping[str, ReviewEntry] | None = None) -> tuple[str, int, bool]:
    """Orders by the last comment, the number of findings, and whether the log has it from the same file."""
    same = (known or {}).get(entry.key)
    return entry.date, entry.total, same is not None and same.origin.file == entry.origin.file


def updated(log: Sequence[ReviewEntry], changed: Sequence[ReviewEntry]) -> list[ReviewEntry]:
    """Returns the log with these entries as in their source now; keeps ids and archive state."""
    by_key = {entry.key: entry for entry in changed}
    return [_in_place_of(entry, by_key[entry.key]) if entry.key in by_key else entry for entry in log]


def rebuilt(log: Sequence[ReviewEntry], sources: Sources) -> list[ReviewEntry]:
    """Rebuilds the log from its sources; keeps archived entries, and entries from files that are not read."""
    found = drift(log, sources)
    gone, kept = {entry.key for entry in found.orphaned}, set[str]()
    after = []
    for entry in updated(log, found.changed):
        # A repeated entry of a source is one; two entries that a person wrote under one number differ.
        if entry.key not in gone and entry.origin.key not in kept:
            after.append(entry)
            kept |= {entry.origin.key} - {""}
    return after


def archived(log: Sequence[ReviewEntry], most: int = MOST_ACTIVE) -> list[ReviewEntry]:
    """Marks all but the newest active entries as archived."""
    active = sorted((entry for entry in log if not entry.archived), key=_age)
    old = {entry.key for entry in active[: max(0, len(active) - most)]}
    return [msgspec.structs.replace(entry, archived=True) if entry.key in old else entry for entry in log]


def _age(entry: ReviewEntry) -> tuple[str, int]:
    """Orders by date, then by number; otherwise keeps the order of the log."""
    return entry.date, entry.id if isinstance(entry.id, int) else 0


def _in_place_of(before: ReviewEntry, after: ReviewEntry) -> ReviewEntry:
    return msgspec.structs.replace(after, id=before.id, archived=before.archived)
