"""The review log of a project: its entries, how they are stored, and what has drifted from its sources."""

import os
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from itertools import count
from typing import NamedTuple

import msgspec

from lessons.errors import KeptOut, NotFound
from lessons.project_state import Consolidation, ReviewEntry, time_of
from lessons.reviews import consolidate
from lessons.reviews.consolidate import digest
from lessons.reviews.review_sources import read_source, relative_to
from lessons.store import decisions, files, logs
from lessons.store.consent import consent_of
from lessons.store.history.history import History
from lessons.store.state_files import consolidation, locked_state, problem_in, put_bytes, review_log
from lessons.store.state_paths import StatePaths, repository_of


def may_be_kept(place: StatePaths) -> bool:
    consent = consent_of(place.home)
    now = time_of(datetime.now(UTC))
    return not (consent.is_needed and consent.refuses("", place.root, repository_of(place.root), now))


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
    return [
        msgspec.structs.replace(by_key[entry.key], id=entry.id, archived=entry.archived)
        if entry.key in by_key
        else entry
        for entry in log
    ]


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
    # By date, then by number; otherwise in the order of the log.
    active = sorted(
        (entry for entry in log if not entry.archived),
        key=lambda entry: (entry.date, entry.id if isinstance(entry.id, int) else 0),
    )
    old = {entry.key for entry in active[: max(0, len(active) - most)]}
    return [msgspec.structs.replace(entry, archived=True) if entry.key in old else entry for entry in log]


_END_OF_DAY = "T23:59:59.999Z"


class Synced(NamedTuple):
    """What differed, and what was added to the log; nothing was added by a check."""

    drift: Drift
    added: list[ReviewEntry]


def add(place: StatePaths, entries: Sequence[ReviewEntry]) -> tuple[list[ReviewEntry], list[ReviewEntry]]:
    """Adds entries; returns the new ones with their ids, and those that were updated because their source changed."""
    _require(place)
    changed = drift(review_log.read(place), {"": entries}, takes_over=True).changed
    if changed:
        _change(place, lambda log: updated(log, changed))
    return _add_new(place, entries), changed


def sync(place: StatePaths, files: Sequence[str], check: bool) -> Synced:
    """Compares with these files, or with all that the log names; unless `check`, adds and updates what differs."""
    _require(place)
    found = _sources(place, files)
    differs = drift(review_log.read(place), found)
    if check or not (differs.missing or differs.changed):
        return Synced(differs, [])
    if differs.changed:
        _change(place, lambda log: updated(log, differs.changed))
    return Synced(differs, _add_new(place, differs.missing))


def repair(place: StatePaths, files: Sequence[str]) -> Synced:
    """Rebuilds the log from its sources; keeps archived entries, sets unreadable lines aside."""
    _require(place)
    found = _sources(place, files)
    differs = drift(review_log.read(place), found)
    _change(place, lambda log: rebuilt(log, found))
    return Synced(differs, _add_new(place, differs.missing))


def archive(place: StatePaths) -> tuple[int, int]:
    """Archives all but the newest 20; returns how many were archived, and how many are active now."""
    before, after = _change(place, archived)
    active = sum(not entry.archived for entry in after)
    return sum(not entry.archived for entry in before) - active, active


def run_consolidation(place: StatePaths, automatic: bool = False) -> Consolidation | None:
    """Recomputes patterns and candidates from all entries; returns None if automatic and not due.

    Candidates first: after a kill in between, the next run finds the same entries new and repeats everything.
    """
    _require(place)
    entries, before = review_log.read(place), consolidation.read(place)
    if automatic and not consolidate.is_due(entries, before):
        return None
    after = consolidate.consolidated(entries, place.root, before, time_of(datetime.now(UTC)))
    if entries or before.entries:
        with History.opened(place.home) as history:
            with history.transaction():
                rows = consolidate.rows_of(entries, place.root, review_log.file_of(place))
                history.candidates.replace_reviews(place.root, rows)
            decisions.apply(history)
        consolidation.change(place, lambda _: after)
    return after


def sources_of(place: StatePaths) -> list[str]:
    """Returns the files that the log was read from, according to its entries."""
    return sorted({entry.origin.file for entry in review_log.read(place) if entry.origin.file})


def has_drifted(place: StatePaths) -> bool:
    """Whether a file that the log was read from has changed; a missing file does not count."""
    return bool(drift(review_log.read(place), _read_all(place, _present(place))))


def _present(place: StatePaths) -> list[str]:
    """Returns the existing files that the log was read from.

    If the state is in the project, the log may come with a repository: then files outside of it are ignored.
    """
    found = [path for file in sources_of(place) if os.path.isfile(path := os.path.join(place.root, file))]
    inside = os.path.join(os.path.realpath(place.root), "")
    return [path for path in found if not place.in_project or os.path.realpath(path).startswith(inside)]


def _sources(place: StatePaths, files: Sequence[str]) -> Sources:
    chosen = list(files) or _present(place)
    if not chosen:
        raise NotFound("The review log names no source: give the file of a review log or of `gh pr view` output.")
    return _read_all(place, chosen)


def _read_all(place: StatePaths, files: Sequence[str]) -> Sources:
    return {relative_to(place.root, file): _allowed(place, read_source(place.root, file)) for file in files}


def _allowed(place: StatePaths, entries: list[ReviewEntry]) -> list[ReviewEntry]:
    """Removes entries the user had forgotten: they must not return when the file is read again."""
    consent = consent_of(place.home)
    if not consent.is_needed:
        return entries
    repository = repository_of(place.root)
    return [
        entry
        for entry in entries
        if not consent.refuses("", place.root, repository, entry.date + _END_OF_DAY if entry.date else "")
    ]


def _require(place: StatePaths) -> None:
    if not may_be_kept(place):
        raise KeptOut(f"Nothing is stored for {place.root}: it is in excludeProjects.")


def _add_new(paths: StatePaths, entries: Sequence[ReviewEntry]) -> list[ReviewEntry]:
    """Appends those whose key is new; each keeps its id, or gets the next one if that is taken or missing."""
    with locked_state(paths) as here:
        there = review_log.read(here)
        keys, ids = {entry.key for entry in there}, {entry.id for entry in there}
        new: list[ReviewEntry] = []
        for entry in entries:
            if entry.key in keys:
                continue
            if entry.id in ids or entry.id == 0:
                entry = msgspec.structs.replace(entry, id=_free_id(entry, ids))
            new.append(entry)
            keys.add(entry.key)
            ids.add(entry.id)
        review_log.put(here, new)
        return new


def _free_id(entry: ReviewEntry, taken: set[int | str]) -> int | str:
    if entry.type == "review":
        return 1 + max((number for number in taken if isinstance(number, int)), default=0)
    return next(name for number in count(2) if (name := f"{entry.id}-{number}") not in taken)


def _change(
    paths: StatePaths, changed: Callable[[list[ReviewEntry]], list[ReviewEntry]]
) -> tuple[list[ReviewEntry], list[ReviewEntry]]:
    """Replaces the whole log with the result of the function; returns both. A file with unreadable lines is set aside:
    nothing else has its entries.
    """
    with locked_state(paths) as here:
        path, before = review_log.file_of(here), review_log.read(here)
        after = changed(before)
        problem = problem_in(here, path, ReviewEntry)
        if problem and os.path.isfile(path) and not os.path.islink(path):
            aside = files.set_aside(path)
            logs.record_fault(here.home, "state", f"{path} {problem}: set aside as {os.path.basename(aside)}")
        if problem or after != before:
            put_bytes(here, path, review_log.encoded(after))
        return before, after
