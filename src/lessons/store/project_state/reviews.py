"""`reviews.jsonl`: the only writer of the review log, its source of truth; one line per entry, oldest first."""

from collections.abc import Callable, Iterable, Sequence
from itertools import count

import msgspec

from lessons.code_review import ReviewEntry, entry_document
from lessons.store.project_state import documents, files, lines
from lessons.store.project_state.state_files import review_log
from lessons.store.project_state.state_lock import locked_state
from lessons.store.project_state.state_paths import StatePaths

file_of, read = review_log.file_of, review_log.read


def add(paths: StatePaths, entries: Sequence[ReviewEntry]) -> list[ReviewEntry]:
    """Appends those whose key is new, each with a new id; returns them."""
    with locked_state(paths) as here:
        there = review_log.read(here)
        known, ids = {entry.key for entry in there}, FreeIds(there)
        new: list[ReviewEntry] = []
        for entry in entries:
            if entry.key not in known:
                new.append(ids.give(entry))
                known.add(new[-1].key)
        if new:
            lines.add(here, file_of(here), new, review_log.key, entry_document, review_log.rotates)
        return new


def change(
    paths: StatePaths, changed: Callable[[list[ReviewEntry]], list[ReviewEntry]]
) -> tuple[list[ReviewEntry], list[ReviewEntry]]:
    """Replaces the whole log with the result of the function; returns both. Sets unreadable lines aside first."""
    with locked_state(paths) as here:
        path, before = file_of(here), review_log.read(here)
        after = changed(before)
        if problem := lines.problem_in(here, path, ReviewEntry):
            files.set_aside(here, path, problem.rstrip("."))
        elif after == before:
            return before, after
        files.put(here, path, b"".join(documents.encoded(entry_document(entry)) for entry in after))
        return before, after


class FreeIds:
    """Gives each entry the id of its source, or the next number if that is taken or missing."""

    def __init__(self, log: Iterable[ReviewEntry]) -> None:
        self._taken = {entry.id for entry in log}
        self._highest = max((number for number in self._taken if isinstance(number, int)), default=0)

    def give(self, entry: ReviewEntry) -> ReviewEntry:
        if entry.id in self._taken or entry.id == 0:
            entry = msgspec.structs.replace(entry, id=self._free(entry))
        self._taken.add(entry.id)
        if isinstance(entry.id, int):
            self._highest = max(self._highest, entry.id)
        return entry

    def _free(self, entry: ReviewEntry) -> int | str:
        if entry.type == "review":
            return self._highest + 1
        return next(name for number in count(2) if (name := f"{entry.id}-{number}") not in self._taken)
