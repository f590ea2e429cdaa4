"""The review log of a project: add, compare with its sources, rebuild, archive and consolidate."""

import os
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from lessons.code_review import Consolidation, ReviewEntry
from lessons.errors import KeptOut, NotFound
from lessons.reviews import candidates, consolidate
from lessons.reviews.drift import Drift, Sources, archived, drift, rebuilt, updated
from lessons.reviews.permission import may_be_kept
from lessons.reviews.sources import read_source, relative_to
from lessons.store import decisions
from lessons.store.consent import consent_of
from lessons.store.excluded import repository_of
from lessons.store.history.history import History
from lessons.store.project_state import consolidation, reviews
from lessons.store.project_state.state_paths import StatePaths
from lessons.store.project_state.timestamps import time_of

_END_OF_DAY = "T23:59:59.999Z"


class Synced(NamedTuple):
    """What differed, and what was added to the log; nothing was added by a check."""

    drift: Drift
    added: list[ReviewEntry]


def add(place: StatePaths, entries: Sequence[ReviewEntry]) -> tuple[list[ReviewEntry], list[ReviewEntry]]:
    """Adds entries; returns the new ones with their ids, and those that were updated because their source changed."""
    _require(place)
    changed = drift(reviews.read(place), {"": entries}, takes_over=True).changed
    if changed:
        reviews.change(place, lambda log: updated(log, changed))
    return reviews.add(place, entries), changed


def sync(place: StatePaths, files: Sequence[str], check: bool) -> Synced:
    """Compares with these files, or with all that the log names; unless `check`, adds and updates what differs."""
    _require(place)
    found = _sources(place, files)
    differs = drift(reviews.read(place), found)
    if check or not (differs.missing or differs.changed):
        return Synced(differs, [])
    if differs.changed:
        reviews.change(place, lambda log: updated(log, differs.changed))
    return Synced(differs, reviews.add(place, differs.missing))


def repair(place: StatePaths, files: Sequence[str]) -> Synced:
    """Rebuilds the log from its sources; keeps archived entries, sets unreadable lines aside."""
    _require(place)
    found = _sources(place, files)
    differs = drift(reviews.read(place), found)
    reviews.change(place, lambda log: rebuilt(log, found))
    return Synced(differs, reviews.add(place, differs.missing))


def archive(place: StatePaths) -> tuple[int, int]:
    """Archives all but the newest 20; returns how many were archived, and how many are active now."""
    before, after = reviews.change(place, archived)
    active = sum(not entry.archived for entry in after)
    return sum(not entry.archived for entry in before) - active, active


def run_consolidation(place: StatePaths, automatic: bool = False) -> Consolidation | None:
    """Recomputes patterns and candidates from all entries; returns None if automatic and not due.

    Candidates first: after a kill in between, the next run finds the same entries new and repeats everything.
    """
    _require(place)
    entries, before = reviews.read(place), consolidation.read(place)
    if automatic and not consolidate.is_due(entries, before):
        return None
    after = consolidate.consolidated(entries, place.root, before, time_of(datetime.now(UTC)))
    if entries or before.entries:
        with History.opened(place.home) as history:
            with history.transaction():
                rows = candidates.rows_of(entries, place.root, reviews.file_of(place))
                history.candidates.replace_reviews(place.root, rows)
            decisions.apply(history)
        consolidation.write(place, after)
    return after


def sources_of(place: StatePaths) -> list[str]:
    """Returns the files that the log was read from, according to its entries."""
    return sorted({entry.origin.file for entry in reviews.read(place) if entry.origin.file})


def has_drifted(place: StatePaths) -> bool:
    """Whether a file that the log was read from has changed; a missing file does not count."""
    return bool(drift(reviews.read(place), _read_all(place, _present(place))))


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
