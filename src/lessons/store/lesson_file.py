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
from lessons.errors import Busy, DamagedFile, NotFound, Refused
from lessons.json_document import DECODER, Style, render_part, strict
from lessons.model import Lesson, lesson_from_document, shown
from lessons.schema import SCHEMA_NAME, schema_text
from lessons.store import files
from lessons.store.files import locked

_SCHEMA_REFERENCE = f"./{SCHEMA_NAME}"
_SPACE = re.compile(r"[ \t\r\n]*")
# Levels: the document, its list, a record.
_RECORD_DEPTH = 2


class Problem(NamedTuple):
    """A record that cannot be used: its number in the file, what it calls itself, and what to do."""

    number: int
    name: str
    sentence: str


class Each(NamedTuple):
    """A record, its text, and the lesson that it is or why it is none."""

    record: dict[str, object]
    text: str
    found: Lesson | Problem


class _Item:
    """A record; `text` and `place` are those of the file, where it came from there."""

    __slots__ = ("place", "record", "text")

    def __init__(self, record: object, text: str | None = None, place: int | None = None) -> None:
        self.record = record
        self.text = text
        self.place = place

    def rendered(self, style: Style) -> str:
        """Returns its text as it was written, unless the record was changed since."""
        if self.text is not None and strict(self.text) == self.record:
            return self.text
        return render_part(self.record, style, _RECORD_DEPTH)


class _Layout(NamedTuple):
    """What surrounds the records: the text up to the first, between them, and after the last."""

    before: str
    gaps: list[str]
    after: str


class LessonFile:
    """The document as the person wrote it; `add`, `replace` and `remove` change it in memory."""

    def __init__(self, path: str, content: bytes | None, remedy: str) -> None:
        self.path = path
        self.is_missing = content is None
        self.changed = False
        self._content = content
        self._remedy = remedy
        self._items: list[_Item] = []
        self._layout: _Layout | None = None  # None where the whole text is rewritten
        self.document: dict[str, object] = {"$schema": _SCHEMA_REFERENCE, "lessons": []}
        if content is not None:
            self._read(content.decode())

    def _read(self, text: str) -> None:
        try:
            self.document, self._items, self._layout = _cut(text)
        except (ValueError, IndexError, RecursionError):  # damaged, or without a list of lessons
            self.document = json_document.parse(text, self.path, self._remedy)
            records = self.document.setdefault("lessons", [])
            if not isinstance(records, list):
                reason = f"lessons in {self.path} is {shown(records)} and not a list of records"
                raise DamagedFile(f"{reason}: {self._remedy}.") from None
            self._items = [_Item(record) for record in records]

    @property
    def records(self) -> list[object]:
        """All of them as they are in the file; a caller that changes one sets `changed`."""
        return [item.record for item in self._items]

    def lessons(self) -> list[Lesson]:
        """Every usable record, in the order of the file."""
        return [each.found for each in self.each() if isinstance(each.found, Lesson)]

    def problems(self) -> list[Problem]:
        return [each.found for each in self.each() if isinstance(each.found, Problem)]

    def each(self) -> Iterator[Each]:
        """Every record; of two with the same name the first counts."""
        seen: dict[str, int] = {}
        style = Style()
        for number, item in enumerate(self._items, start=1):
            names = names_of(item.record)
            try:
                lesson = lesson_of(item.record)
                if taken := next((name for name in names if name in seen), ""):
                    raise Refused(f"{taken} is also lesson {seen[taken]}: give it an id and a slug of its own.")
                seen |= dict.fromkeys(names, number)
                found: Lesson | Problem = lesson
            except Refused as refused:
                found = Problem(number, names[-1] if names else "", f"lesson {number}: {refused}")
            text = render_part(item.record, style, 0) if item.text is None else item.text
            yield Each(item.record if isinstance(item.record, dict) else {}, text, found)

    def names(self) -> set[str]:
        """Every id and slug in the file, of unusable records too."""
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
        item, _ = self._found(name)
        if self._layout is None or item.text is None:
            raise Refused(f"The records of {self.path} cannot be told apart: run `lessons doctor`.")
        for key, value in fields.items():
            item.text = json_edit.put(item.text, key, value)
        item.record = strict(item.text)
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
        listed = [names_of(item.record) for item in self._items]
        item = self._items[position_of(name, listed)]
        assert isinstance(item.record, dict)
        return item, item.record

    def is_as_read(self) -> bool:
        """Whether the file still has the content that was read."""
        return json_document.read_content(self.path, self._remedy) == self._content

    def rendered(self) -> bytes:
        """The document as text, laid out like the text it came from; records that did not change as they were."""
        if self._content is None:
            return json_document.render({**self.document, "lessons": self.records}, Style()).encode()
        text = self._content.decode()
        style = json_document.style_of(text)
        if self._layout is None or not self._items or not self._layout.gaps:
            return json_document.render({**self.document, "lessons": self.records}, style).encode()
        return self._spliced(self._layout, style).encode()

    def _spliced(self, layout: _Layout, style: Style) -> str:
        new_line = style.newline + style.indent * _RECORD_DEPTH
        parts = [layout.before]
        before = -1  # the place of the record before
        for item in self._items:
            is_next = item.place is not None and item.place == before + 1
            gap = layout.gaps[before + 1] if is_next else new_line if len(parts) == 1 else f",{new_line}"
            parts += [gap, item.rendered(style)]
            before = item.place if item.place is not None else -2
        end = layout.gaps[-1] if before == len(layout.gaps) - 2 else style.newline + style.indent
        return "".join([*parts, end, layout.after])


def _cut(text: str) -> tuple[dict[str, object], list[_Item], _Layout]:
    """Reads the document and where its records are; raises ValueError if its text does not show that."""
    document: dict[str, object] = {}
    items: list[_Item] = []
    layout: _Layout | None = None
    at = _after(text, _skip(text, 0), "{")
    while text[at := _skip(text, at)] != "}":
        key, at = DECODER.raw_decode(text, at)
        at = _skip(text, _after(text, _skip(text, at), ":"))
        if not isinstance(key, str) or key in document:
            raise ValueError(key)
        if key == "lessons":
            opening = _after(text, at, "[")
            items, gaps, at = _records(text, opening)
            layout = _Layout(text[:opening], gaps, text[at:])
            document[key], at = [], at + 1
        else:
            document[key], at = DECODER.raw_decode(text, at)
        at = _skip(text, at)
        if text[at] == ",":
            at += 1
            if text[_skip(text, at)] == "}":
                raise ValueError("trailing comma")
        elif text[at] != "}":
            raise ValueError("no comma")
    if layout is None or _skip(text, at + 1) != len(text):
        raise ValueError("no lessons, or more than one document")
    return document, items, layout


def _records(text: str, at: int) -> tuple[list[_Item], list[str], int]:
    """Reads a list from behind its bracket; returns its items, the gaps around them, and where its end is."""
    items: list[_Item] = []
    gaps: list[str] = []
    end = at
    at = _skip(text, at)
    while text[at] != "]":
        if items:
            at = _skip(text, _after(text, at, ","))
        gaps.append(text[end:at])
        record, end = DECODER.raw_decode(text, at)
        items.append(_Item(record, text[at:end], len(items)))
        at = _skip(text, end)
    gaps += [text[end:at]] if items else []
    return items, gaps, at


def _skip(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at


def _after(text: str, at: int, sign: str) -> int:
    if text[at : at + 1] != sign:
        raise ValueError(f"no {sign}")
    return at + 1


def lesson_of(record: object) -> Lesson:
    """Returns the typed record; raises Refused if it is not one."""
    if not isinstance(record, dict):
        raise Refused(f"it is {shown(record)}: write an object, such as {{}}, or remove it.")
    return lesson_from_document(record)


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


def position_of(name: str, listed: list[tuple[str, ...]]) -> int:
    """Returns the position of this name, or the only one that starts with it; raises NotFound or Refused otherwise."""
    found = [position for position, names in enumerate(listed) if name in names]
    if not found and name:
        start = name.lower()
        found = [at for at, names in enumerate(listed) if any(own.lower().startswith(start) for own in names)]
    if len(found) > 1:
        some = ", ".join(listed[position][-1] for position in found[:5])
        raise Refused(f"{name} matches {len(found)} lessons ({some}): write more of the slug.")
    if not found:
        close = difflib.get_close_matches(name, {each for names in listed for each in names}, n=1)
        hint = f"perhaps {close[0]} is meant" if close else "`lessons list --status all` shows them all"
        raise NotFound(f"There is no lesson {shown(name)}: {hint}.")
    return found[0]


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
        stamp = files.stamp(path)
        file = read(home)
        yield file
        if not file.changed:
            return
        # An editor takes no lock: what a person saved meanwhile is worth more than our change.
        if files.stamp(path) != stamp and not file.is_as_read():
            raise Busy(f"{path} was saved by another program just now and was left alone: try again.")
        files.daily_copy(path, paths.backups_folder(home), datetime.now(UTC).date())
        if file.document.get("$schema") == _SCHEMA_REFERENCE:
            files.write_text(os.path.join(home, SCHEMA_NAME), schema_text())
        files.write_bytes(path, _byte_order_mark(path) + file.rendered())


def _byte_order_mark(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return BOM_UTF8 if file.read(len(BOM_UTF8)) == BOM_UTF8 else b""
    except FileNotFoundError:
        return b""
