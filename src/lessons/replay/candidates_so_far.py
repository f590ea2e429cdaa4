"""The candidates that mining would have made by then from the sessions that have ended."""

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from lessons.candidate import Occurrence, StoredCandidate, document_from
from lessons.mistakes.group import candidate_row, is_lesson, key_of, mistakes_of
from lessons.store.history.episodes import EpisodeRow
from lessons.store.history.history import History

Key = tuple[str, str]


class Known(NamedTuple):
    """An episode, and where and when it happened."""

    row: EpisodeRow
    occurrence: Occurrence

    @property
    def order(self) -> tuple[str, str]:
        return self.occurrence.time, self.row.tool_use_id


class CandidatesSoFar:
    """Groups episodes in order of time, whatever was added first, as mining does.

    Only mistakes with new evidence are described again. Episodes with the same key belong together, and keys are
    compared only within one part (`mistakes_of`): one episode per key of a part decides how they are grouped.
    """

    def __init__(self, history: History) -> None:
        self._history = history
        self._corrected = history.episodes.corrected_calls()
        self._of_key: dict[Key, list[Known]] = {}
        self._keys: dict[str, set[Key]] = {}  # by part
        self._names: dict[Key, str] = {}  # the fingerprint of the mistake that a key belongs to
        self._members: dict[str, set[Key]] = {}  # by fingerprint
        self._to_group: set[str] = set()
        self._changed: set[str] = set()
        self._no_lessons: set[str] = set()  # may become one without new evidence, or were one

    def add(self, episodes: Iterable[Known]) -> None:
        for known in episodes:
            key = key_of(known.row)
            group = self._of_key.setdefault(key, [])
            # A new key, or an earlier occurrence of a key, may change how its part is grouped.
            if not group or known.order < group[0].order:
                self._to_group.add(key[0])
            group.append(known)
            group.sort(key=lambda each: each.order)
            self._keys.setdefault(key[0], set()).add(key)
            if key in self._names:
                self._changed.add(self._names[key])

    def is_gone(self, name: str) -> bool:
        """Whether no mistake has this name any more, or no lesson can come from it."""
        return name not in self._members or name in self._no_lessons

    def changed(self, is_decided: Callable[[str], bool]) -> Iterator[StoredCandidate]:
        """Yields new candidates and those with new evidence since the last call; skips decided ones."""
        for part in sorted(self._to_group):
            self._group(part)
        self._to_group.clear()
        names, self._changed = sorted(self._changed | self._no_lessons), set()
        self._no_lessons.clear()
        for name in names:
            if name in self._members and not is_decided(name):
                group = self._group_of(name)
                if is_lesson([each.row for each in group]):
                    yield self._candidate(name, group)
                else:
                    self._no_lessons.add(name)

    def _group(self, part: str) -> None:
        before = {name: set(self._members[name]) for key in self._keys[part] if (name := self._names.get(key))}
        for name in before:
            del self._members[name]
        first = sorted((self._of_key[key][0] for key in self._keys[part]), key=lambda each: each.order)
        for name, rows in mistakes_of(each.row for each in first):
            keys = {key_of(row) for row in rows}
            self._members[name] = keys
            self._names.update(dict.fromkeys(keys, name))
            if keys != before.get(name):
                self._changed.add(name)

    def _group_of(self, name: str) -> list[Known]:
        return sorted((each for key in self._members[name] for each in self._of_key[key]), key=lambda each: each.order)

    def _candidate(self, name: str, group: list[Known]) -> StoredCandidate:
        row = candidate_row(self._history, name, [each.row for each in group], self._corrected)
        evidence = sorted((each.occurrence for each in group), key=lambda each: (each.time, each.session_id, each.uuid))
        return StoredCandidate(name, row.tier, row.kind, document_from(row.document), row.confidence, evidence)
