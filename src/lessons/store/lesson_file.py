"""The file `lessons.json`: its records raw and typed, and changes to it.

A change rewrites only the records that it changes: the rest of the text stays as a person wrote it.
"""

import copy
import difflib
import os
import re
from codecs import BOM_UTF8
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import NamedTuple

from lessons import json_document, json_edit, paths
from lessons.errors import DamagedFile, NotFound, Refused
from lessons.json_document import Style, render_part, strict
from lessons.model import Lesson, lesson_from_document, shown, with_present_names
from lessons.schema import SCHEMA_NAME, schema_text
from lessons.store import files
from lessons.store.files import locked

_SCHEMA_REFERENCE = f"./{SCHEMA_NAME}"
_KEPT_COPIES = 14
# Levels: the document, its list, a record.
_RECORD_DEPTH = 2


class Problem(NamedTuple):
    """A record that cannot be used: its number in the file, what it calls itself, and what to do."""

    number: int
    name: str
    sentence: str


class Each(NamedTuple):
    """A record, and the lesson that it is or why it is none."""

    record: dict[str, object]
    found: Lesson | Problem


class _Item:
    """A record, and its number in the text that it came from."""

    __slots__ = ("put", "record", "source")

    def __init__(self, record: object, source: int | None = None) -> None:
        self.record, self.source = record, source
        self.put: dict[str, object] = {}  # fields to set in its text


class LessonFile:
    """The document as the person wrote it; `add`, `replace` and `remove` change it in memory."""

    def __init__(self, path: str, content: bytes | None, remedy: str) -> None:
        self.path = path
        self.is_missing = content is None
        self._text = (content or b"").decode()
        self.changed = False
        self.document: dict[str, object] = {"$schema": _SCHEMA_REFERENCE}
        if content is not None:
            self.document = json_document.parse(self._text, path, remedy)
        records = self.document.setdefault("lessons", [])
        if not isinstance(records, list):
            raise DamagedFile(f"lessons in {path} is {shown(records)} and not a list of records: {remedy}.")
        self._items = [_Item(record, number) for number, record in enumerate(records)]

    @property
    def records(self) -> list[object]:
        """All of them as they are in the file; a caller that changes one sets `changed`."""
        return [item.record for item in self._items]

    def lessons(self) -> list[Lesson]:
        return [each.found for each in self.each() if isinstance(each.found, Lesson)]

    def problems(self) -> list[Problem]:
        return [each.found for each in self.each() if isinstance(each.found, Problem)]

    def each(self) -> Iterator[Each]:
        """Every record; of two with the same name the first counts."""
        seen: dict[str, int] = {}
        for number, item in enumerate(self._items, start=1):
            names = names_of(item.record)
            try:
                if not isinstance(item.record, dict):
                    raise Refused(f"it is {shown(item.record)}: write an object, such as {{}}, or remove it.")
                lesson = lesson_from_document(item.record)
                if taken := next((name for name in names if name in seen), ""):
                    raise Refused(f"{taken} is also lesson {seen[taken]}: give it an id and a slug of its own.")
                seen |= dict.fromkeys(names, number)
                found: Lesson | Problem = lesson
            except Refused as refused:
                found = Problem(number, names[-1] if names else "", f"lesson {number}: {refused}")
            yield Each(with_present_names(item.record) if isinstance(item.record, dict) else {}, found)

    def names(self) -> set[str]:
        return {name for item in self._items for name in names_of(item.record)}

    def find(self, name: str) -> dict[str, object]:
        """A copy of the record with that slug or id, or the only one whose slug or id starts so."""
        return copy.deepcopy(self._found(name)[1])

    def add(self, document: dict[str, object]) -> Lesson:
        """Append a record; its fields and their order are kept as given."""
        lesson = lesson_from_document(document)
        self._refuse_taken(document, ())
        self._items.append(_Item(copy.deepcopy(document)))
        self.changed = True
        return lesson

    def replace(self, name: str, changes: dict[str, object]) -> Lesson:
        """Merge changes into a record: objects are merged, None removes a key, everything else is set."""
        item, record = self._found(name)
        changed = merged(record, changes)
        lesson = lesson_from_document(changed)
        self._refuse_taken(changed, names_of(record))
        if changed != record:
            item.record = changed
            self.changed = True
        return lesson

    def put_in_text(self, name: str, fields: Mapping[str, object]) -> None:
        """Sets fields of a record and leaves every other character of the file as it is."""
        item = self._found(name)[0]
        assert isinstance(item.record, dict)
        item.put |= fields
        item.record = {**item.record, **fields}
        self.changed = True

    def remove(self, name: str) -> None:
        self._items.remove(self._found(name)[0])
        self.changed = True

    def _refuse_taken(self, document: dict[str, object], own: Collection[str]) -> None:
        names = self.names()
        for field in ("id", "slug"):
            name = document[field]
            if not name:
                raise Refused(f'{field} is "": leave it out and one is made.')
            if name in names and name not in own:
                raise Refused(f"{field} is {shown(name)}, which another lesson has: leave it out and one is made.")

    def _found(self, name: str) -> tuple[_Item, dict[str, object]]:
        """Returns the record with this name, or the only one of which a name starts with it."""
        listed = [(names, item) for item in self._items if (names := names_of(item.record))]
        found = [(names, item) for names, item in listed if name in names]
        if not found and name:
            start = name.lower()
            found = [each for each in listed if any(own.lower().startswith(start) for own in each[0])]
        if len(found) > 1:
            some = ", ".join(names[-1] for names, _ in found[:5])
            raise Refused(f"{name} matches {len(found)} lessons ({some}): write more of the slug.")
        if not found:
            close = difflib.get_close_matches(name, self.names(), n=1)
            hint = f"perhaps {close[0]} is meant" if close else "`lessons list --status all` shows them all"
            raise NotFound(f"There is no lesson {shown(name)}: {hint}.")
        item = found[0][1]
        assert isinstance(item.record, dict)
        return item, with_present_names(item.record)

    def rendered(self) -> bytes:
        """The document as text, laid out like the text it came from; records that did not change as they were."""
        text = self._text
        style = json_document.style_of(text) if text else Style()
        if all(item.source is None for item in self._items):
            return json_document.render({**self.document, "lessons": self.records}, style).encode()
        node = json_edit.find(json_edit.parse(text, _RECORD_DEPTH), ("lessons",))
        spans = [(each.start, each.end) for each in node.children] if node else []
        new_line = style.newline + style.indent * _RECORD_DEPTH
        parts = [text[: spans[0][0]].rstrip()]
        end = len(parts[0])  # of the record before, if it is followed by the same one as in the file
        expected = 0
        for item in self._items:
            if item.source is None:
                gap, written = f",{new_line}", render_part(item.record, style, _RECORD_DEPTH)
            else:
                start, after = spans[item.source]
                gap = text[end:start] if item.source == expected else f",{new_line}"
                written = _written(text[start:after], item, style)
                end, expected = after, item.source + 1
            parts += [gap.lstrip(",") if len(parts) == 1 else gap, written]
        return "".join([*parts, text[spans[-1][1] :]]).encode()


def _written(text: str, item: _Item, style: Style) -> str:
    """Returns the text of a record as it was written, unless more of it was changed than can be set there."""
    for key, value in item.put.items():
        text = json_edit.put(text, key, value)
    return text if strict(text) == item.record else render_part(item.record, style, _RECORD_DEPTH)


def merged(record: dict[str, object], changes: dict[str, object]) -> dict[str, object]:
    """Returns the record with the changes: objects are merged, None removes a key, everything else is set."""
    result = dict(record)
    for key, value in changes.items():
        before = result.get(key)
        if value is None:
            result.pop(key, None)
        elif isinstance(value, dict) and isinstance(before, dict):
            result[key] = merged(before, value)
        else:
            result[key] = copy.deepcopy(value)
    return result


def names_of(record: object) -> tuple[str, ...]:
    """Returns its id and slug, as far as they can name a record."""
    values = (record.get("id"), record.get("slug")) if isinstance(record, dict) else ()
    return tuple(dict.fromkeys([name for name in values if isinstance(name, str) and name]))


def read(home: str) -> LessonFile:
    """The file as it is now; a missing one is an empty document, a damaged one is refused with the place."""
    path, copies = paths.lessons_file(home), paths.backups_folder(home)
    remedy = f"correct it there, or restore a copy with `lessons backup restore` (they are in {copies})"
    return LessonFile(path, json_document.read_content(path, remedy), remedy)


@contextmanager
def change(home: str) -> Iterator[LessonFile]:
    """Alone with the file: what was added and replaced is written at the end, nothing if the body fails."""
    path = paths.lessons_file(home)
    with locked(path):
        before = files.content(path)
        file = read(home)
        yield file
        if not file.changed:
            return
        if file.document.get("$schema") == _SCHEMA_REFERENCE:
            files.write_text(os.path.join(home, SCHEMA_NAME), schema_text())
        _copy_once_a_day(path, paths.backups_folder(home))
        mark = BOM_UTF8 if before and before.startswith(BOM_UTF8) else b""
        files.change_edited(path, before, mark + file.rendered())


def _copy_once_a_day(path: str, folder: str) -> None:
    """Copies the file before its first change of a day: the last backup may be older than a person's last edit."""
    copy = os.path.join(folder, f"lessons-{datetime.now(UTC):%Y-%m-%d}.json")
    if not os.path.exists(path) or os.path.exists(copy):
        return
    with open(path, "rb") as file:
        files.write_bytes(copy, file.read())
    copies = sorted(name for name in os.listdir(folder) if re.fullmatch(r"lessons-\d{4}-\d\d-\d\d\.json", name))
    for name in copies[:-_KEPT_COPIES]:
        os.unlink(os.path.join(folder, name))
