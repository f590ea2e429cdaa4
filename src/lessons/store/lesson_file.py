"""The file `lessons.json`: its records raw and typed, and changes to it, written back whole."""

import copy
import difflib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import NamedTuple

from lessons import json_document, paths
from lessons.errors import Busy, DamagedFile, NotFound, Refused
from lessons.model import Lesson, lesson_from_document, shown
from lessons.schema import SCHEMA_NAME, schema_text
from lessons.store import atomic, backup
from lessons.store.lock import locked

_SCHEMA_REFERENCE = f"./{SCHEMA_NAME}"


class Problem(NamedTuple):
    """A record that cannot be used: its number in the file, what it calls itself, and what to do."""

    number: int
    name: str
    sentence: str


class LessonFile:
    """The document as the person wrote it; `add`, `replace` and `remove` change it in memory."""

    def __init__(self, path: str, text: str | None, remedy: str) -> None:
        self.path = path
        self.text = text
        self.changed = False
        self.document: dict[str, object] = {"$schema": _SCHEMA_REFERENCE, "lessons": []}
        if text is not None:
            self.document = json_document.parse(text, path, remedy)
        records = self.document.setdefault("lessons", [])
        if not isinstance(records, list):
            raise DamagedFile(f"lessons in {path} is {shown(records)} and not a list of records: {remedy}.")
        self.records: list[object] = records
        self._names = {name for record in records for name in _names_of(record)}

    def lessons(self) -> list[Lesson]:
        """Every usable record, in the order of the file."""
        return self._sorted_out()[0]

    def problems(self) -> list[Problem]:
        """Every other record, with the sentence that says why."""
        return self._sorted_out()[1]

    def _sorted_out(self) -> tuple[list[Lesson], list[Problem]]:
        lessons: list[Lesson] = []
        problems: list[Problem] = []
        seen: dict[str, int] = {}
        for number, record in enumerate(self.records, start=1):
            names = _names_of(record)
            try:
                if not isinstance(record, dict):
                    raise Refused(f"it is {shown(record)}: write an object, such as {{}}, or remove it.")
                lesson = lesson_from_document(record)
                if repeated := next((name for name in names if name in seen), None):
                    raise Refused(f"{repeated} is also lesson {seen[repeated]}: give it an id and a slug of its own.")
            except Refused as refused:
                problems.append(Problem(number, names[-1] if names else "", f"lesson {number}: {refused}"))
            else:
                lessons.append(lesson)
                seen.update(dict.fromkeys(names, number))
        return lessons, problems

    def names(self) -> frozenset[str]:
        """Every id and slug in the file, of unusable records too."""
        return frozenset(self._names)

    def find(self, name: str) -> dict[str, object]:
        """A copy of the record with that slug or id, or the only one whose slug or id starts so."""
        return copy.deepcopy(self._record(name))

    def add(self, document: dict[str, object]) -> Lesson:
        """Append a record; its fields and their order are kept as given."""
        lesson = lesson_from_document(document)
        self._refuse_taken(document, ())
        self.records.append(copy.deepcopy(document))
        self._names.update(_names_of(document))
        self.changed = True
        return lesson

    def replace(self, name: str, changes: dict[str, object]) -> Lesson:
        """Merge changes into a record: objects are merged, None removes a key, everything else is set."""
        record = self._record(name)
        merged = _merged(record, changes)
        lesson = lesson_from_document(merged)
        before = _names_of(record)
        self._refuse_taken(merged, before)
        if merged != record:
            record.clear()
            record.update(merged)
            self._names.difference_update(before)
            self._names.update(_names_of(record))
            self.changed = True
        return lesson

    def remove(self, name: str) -> None:
        record = self._record(name)
        self.records[:] = [each for each in self.records if each is not record]
        self._names.difference_update(_names_of(record))
        self.changed = True

    def rendered(self) -> str:
        """The document as text, laid out like the text it came from."""
        style = json_document.Style() if self.text is None else json_document.style_of(self.text)
        return json_document.render(self.document, style)

    def _refuse_taken(self, document: dict[str, object], own: tuple[str, ...]) -> None:
        for field in ("id", "slug"):
            name = document[field]
            if not name:
                raise Refused(f'{field} is "": leave it out and one is made.')
            if name in self._names and name not in own:
                raise Refused(f"{field} is {shown(name)}, which another lesson has: leave it out and one is made.")

    def _record(self, name: str) -> dict[str, object]:
        records = [record for record in self.records if isinstance(record, dict)]
        found = [record for record in records if name in _names_of(record)]
        if not found and name:
            found = [record for record in records if _starts(record, name)]
        if len(found) > 1:
            some = ", ".join(_names_of(record)[-1] for record in found[:5])
            raise Refused(f"{name} matches {len(found)} lessons ({some}): write more of the slug.")
        if not found:
            close = difflib.get_close_matches(name, self._names, n=1)
            hint = f"perhaps {close[0]} is meant" if close else "`lessons list --status all` shows them all"
            raise NotFound(f"There is no lesson {shown(name)}: {hint}.")
        return found[0]


def _names_of(record: object) -> tuple[str, ...]:
    if not isinstance(record, dict):
        return ()
    return tuple(name for field in ("id", "slug") if isinstance(name := record.get(field), str) and name)


def _starts(record: dict[str, object], name: str) -> bool:
    return any(own.lower().startswith(name.lower()) for own in _names_of(record))


def _merged(record: dict[str, object], changes: dict[str, object]) -> dict[str, object]:
    merged = dict(record)
    for key, value in changes.items():
        before = merged.get(key)
        if value is None:
            merged.pop(key, None)
        elif isinstance(value, dict) and isinstance(before, dict):
            merged[key] = _merged(before, value)
        else:
            merged[key] = copy.deepcopy(value)
    return merged


def read(home: str) -> LessonFile:
    """The file as it is now; a missing one is an empty document, a damaged one is refused with the place."""
    path = paths.lessons_file(home)
    remedy = _remedy(home)
    return LessonFile(path, json_document.read_text(path, remedy), remedy)


def _remedy(home: str) -> str:
    return f"correct it there, or put back a copy from {paths.backups_folder(home)}"


@contextmanager
def change(home: str) -> Iterator[LessonFile]:
    """Alone with the file: what was added and replaced is written at the end, nothing if the body fails."""
    path = paths.lessons_file(home)
    with locked(path):
        file = read(home)
        yield file
        if not file.changed:
            return
        # An editor takes no lock: what a person saved meanwhile is worth more than our change.
        if json_document.read_text(path, _remedy(home)) != file.text:
            raise Busy(f"{path} was saved by another program just now and was left alone: try again.")
        backup.daily_copy(path, paths.backups_folder(home), datetime.now(UTC).date())
        if file.document.get("$schema") == _SCHEMA_REFERENCE:
            atomic.write_text(os.path.join(home, SCHEMA_NAME), schema_text())
        atomic.write_text(path, file.rendered())
