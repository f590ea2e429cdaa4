"""The file `lessons.json`: its records raw and typed, and changes to it, written back whole."""

import copy
import os
from collections.abc import Container, Iterator
from collections.abc import Set as AbstractSet
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import cached_property
from typing import NamedTuple
from zlib import crc32

from lessons import json_document, paths
from lessons.errors import Refused
from lessons.model import Lesson, lesson_from_document, shown
from lessons.schema import SCHEMA_NAME, schema_text
from lessons.store import atomic, backup, compiled_lessons
from lessons.store.file_text import FileText, changed_meanwhile, check_of
from lessons.store.lesson_layout import Layout
from lessons.store.lesson_names import NameFields, Names, names_in, names_of, position_of
from lessons.store.lesson_record import lesson_of, merged
from lessons.store.lesson_records import SCHEMA_REFERENCE, LessonRecords
from lessons.store.lock import locked

# A longer file is read in parts, when they are needed.
LONGEST_IN_MEMORY = 4 << 20


class Problem(NamedTuple):
    """A record that cannot be used: its number in the file, what it calls itself, and what to do."""

    number: int
    name: str
    sentence: str


class LessonFile(LessonRecords):
    """The document as the person wrote it; `add`, `replace` and `remove` change it in memory."""

    @cached_property
    def _names_at(self) -> list[tuple[str, ...]]:
        """The names of each record."""
        if self._layout_names is not None:
            return self._layout_names
        found: list[object] = [*self.chosen(list(range(1, len(self._items) + 1)), NameFields)]
        return [names_in(each.id, each.slug) if isinstance(each, NameFields) else names_of(each) for each in found]

    @cached_property
    def _names(self) -> set[str]:
        return {name for names in self._names_at for name in names}

    def lessons(self) -> list[Lesson]:
        """Every usable record, in the order of the file."""
        return list(self.each_lesson())

    def each_lesson(self) -> Iterator[Lesson]:
        """The same, one at a time."""
        return (lesson for _, lesson in self._each() if isinstance(lesson, Lesson))

    def problems(self) -> list[Problem]:
        return self.sorted_out()[1]

    def sorted_out(self, known: Container[bytes] = ()) -> tuple[list[int], list[Problem]]:
        """The numbers of usable records, and the others; those with a known digest are lessons, whatever they say."""
        found = list(self._each(known))
        usable = [number for number, lesson in found if not isinstance(lesson, Problem)]
        return usable, [problem for _, problem in found if isinstance(problem, Problem)]

    def _each(self, known: Container[bytes] = ()) -> Iterator[tuple[int, Lesson | Problem | None]]:
        """Every record by its number: None if it is known to be a lesson."""
        names = None if self.has_distinct_names() else Names()
        digests = self.digests() if known else [b""] * len(self._items)
        for number, digest, own in zip(range(1, len(digests) + 1), digests, self._names_at, strict=True):
            try:
                lesson = None if digest in known else lesson_of(self.record(number))
                if names:
                    names.take(number, own)
                yield number, lesson
            except Refused as refused:
                yield number, self.problem(number, refused)

    def problem(self, number: int, refused: Refused) -> Problem:
        """Why the record with that number cannot be used."""
        names = self._names_at[number - 1]
        return Problem(number, names[-1] if names else "", f"lesson {number}: {refused}")

    def without(self, ids: Container[str]) -> list[int]:
        """The numbers of the records that have none of these ids."""
        return [number for number, names in enumerate(self._names_at, start=1) if not names or names[0] not in ids]

    def of_slugs(self, slugs: Container[str]) -> list[object]:
        """The records with these slugs, in the order of the file; the others are not read."""
        return [self._parsed(at) for at, names in enumerate(self._names_at) if names and names[-1] in slugs]

    def names(self) -> AbstractSet[str]:
        """Every id and slug in the file, of unusable records too; what is added appears in it."""
        return self._names

    def noted_layout(self) -> Layout | None:
        """By which the same content is read faster the next time; None where that is not possible."""
        return self.layout(self._names_at)

    def has_distinct_names(self) -> bool:
        return len(self._names) == sum(map(len, self._names_at))

    def find(self, name: str) -> dict[str, object]:
        """A copy of the record with that slug or id, or the only one whose slug or id starts so."""
        return copy.deepcopy(self._record(name)[1])

    def add(self, document: dict[str, object]) -> Lesson:
        """Append a record; its fields and their order are kept as given."""
        lesson = lesson_from_document(document)
        self._refuse_taken(document, ())
        self._items.append(copy.deepcopy(document))
        self._digests.append(None)
        self._names_at.append(names_of(document))
        self._names.update(names_of(document))
        self.changed = True
        return lesson

    def replace(self, name: str, changes: dict[str, object]) -> Lesson:
        """Merge changes into a record: objects are merged, None removes a key, everything else is set."""
        position, record = self._record(name)
        changed = merged(record, changes)
        lesson = lesson_from_document(changed)
        before = self._names_at[position]
        self._refuse_taken(changed, before)
        if changed != record:
            self._items[position] = changed
            self._digests[position] = None
            self._names_at[position] = names_of(changed)
            self._names.difference_update(before)
            self._names.update(names_of(changed))
            self.changed = True
        return lesson

    def remove(self, name: str) -> None:
        position, _ = self._record(name)
        del self._items[position], self._digests[position]
        self._names.difference_update(self._names_at.pop(position))
        self.changed = True

    def _refuse_taken(self, document: dict[str, object], own: tuple[str, ...]) -> None:
        for field in ("id", "slug"):
            name = document[field]
            if not name:
                raise Refused(f'{field} is "": leave it out and one is made.')
            if name in self._names and name not in own:
                raise Refused(f"{field} is {shown(name)}, which another lesson has: leave it out and one is made.")

    def _record(self, name: str) -> tuple[int, dict[str, object]]:
        """Where it stands, and the record itself."""
        position = position_of(name, self._names_at)
        record = self._parsed(position)
        assert isinstance(record, dict)
        return position, record


def read(home: str) -> LessonFile:
    """The file as it is now; a missing one is an empty document, a damaged one is refused with the place."""
    path = paths.lessons_file(home)
    remedy = _remedy(home)
    stamp = atomic.stamp(path)
    if (layout := compiled_lessons.layout(home)) and stamp and (source := _as_noted(path, layout)):
        file = LessonFile.as_noted(path, source, layout, remedy)
        file.written = stamp[:2]
        return file
    content = json_document.read_content(path, remedy)
    file = LessonFile(path, content, remedy, compiled_lessons.lesson_digests(home))
    # A byte order mark is in the file, but not in its content.
    if content and len(content) > LONGEST_IN_MEMORY and stamp and stamp[0] == len(content):
        file.leave_in_file()
    return file


def _as_noted(path: str, layout: Layout) -> bytes | FileText | None:
    """The content of the file, where it is that of the layout."""
    try:
        with open(path, "rb") as file:
            if os.fstat(file.fileno()).st_size != layout.size:
                return None
            if layout.size <= LONGEST_IN_MEMORY:
                content = file.read()
                return content if crc32(content) == layout.check else None
            return FileText(path, layout.size, layout.check) if check_of(file) == layout.check else None
    except OSError:
        return None


def _remedy(home: str) -> str:
    return (
        f"correct it there, or restore a copy with `lessons backup restore` (they are in {paths.backups_folder(home)})"
    )


@contextmanager
def change(home: str) -> Iterator[LessonFile]:
    """Alone with the file: what was added and replaced is written at the end, nothing if the body fails."""
    path = paths.lessons_file(home)
    with locked(path):
        stamp = atomic.stamp(path)
        file = read(home)
        yield file
        if not file.changed:
            return
        # An editor takes no lock: what a person saved meanwhile is worth more than our change.
        if atomic.stamp(path) != stamp and not file.is_as_read():
            raise changed_meanwhile(path)
        backup.daily_copy(path, paths.backups_folder(home), datetime.now(UTC).date())
        if file.document.get("$schema") == SCHEMA_REFERENCE:
            atomic.write_text(os.path.join(home, SCHEMA_NAME), schema_text())
        file.write()
