"""The file `lessons.json`: its records raw and typed, and changes to it, written back whole."""

import copy
import difflib
import os
from collections.abc import Container, Iterator
from collections.abc import Set as AbstractSet
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from functools import cached_property
from typing import NamedTuple, TypeVar, cast

import msgspec

from lessons import json_document, paths
from lessons.errors import Busy, DamagedFile, NotFound, Refused
from lessons.json_document import strict
from lessons.model import Lesson, lesson_from_document, shown
from lessons.schema import SCHEMA_NAME, schema_text
from lessons.store import atomic, backup, compiled_lessons, lesson_text
from lessons.store.compiled_lessons import digest_of
from lessons.store.lesson_names import NameFields, Names, any_starts, names_in, names_of
from lessons.store.lesson_record import lesson_of, merged, piece_of
from lessons.store.lesson_text import LessonText
from lessons.store.lock import locked

Chosen = TypeVar("Chosen")
_SCHEMA_REFERENCE = f"./{SCHEMA_NAME}"


class Problem(NamedTuple):
    """A record that cannot be used: its number in the file, what it calls itself, and what to do."""

    number: int
    name: str
    sentence: str


class LessonFile:
    """The document as the person wrote it; `add`, `replace` and `remove` change it in memory.

    A record is read only when it is asked for. `known` has the digests of records that were read before (None: of
    all): what could not be written back as it was, such as a key that is there twice, is looked for in the others.
    """

    def __init__(
        self, path: str, content: bytes | None, remedy: str, known: frozenset[bytes] | None = frozenset()
    ) -> None:
        self.path = path
        self.content = content
        self.changed = False
        self.written: tuple[int, int] | None = None  # size and time of the file, where this is what was written last
        self._remedy = remedy
        self._text: LessonText | None = None
        self._items: list[object] = []
        self.document: dict[str, object] = {"$schema": _SCHEMA_REFERENCE, "lessons": self._items}
        self._digests: list[bytes | None] = []  # of each record; None where it is not known yet
        if content is not None:
            self._read(content, known)

    @cached_property
    def _names_at(self) -> list[tuple[str, ...]]:
        """The names of each record."""
        return self._all_names()

    @cached_property
    def _names(self) -> set[str]:
        return {name for names in self._names_at for name in names}

    def _read(self, content: bytes, known: frozenset[bytes] | None) -> None:
        """The records as pieces of the text, where it can be cut; damage is told with its place."""
        cut = lesson_text.split(content)
        try:
            shell = strict(cut.shell()) if cut else None
            if cut and isinstance(shell, dict) and shell.get("lessons") == []:
                self.document, self._text, self._items = shell, cut, list(cut.pieces)
                self._digests = [None] * len(self._items)
                for position, digest in enumerate(self.digests() if known is not None else ()):
                    if known is None or digest not in known:
                        self._parsed(position)
                self.document["lessons"] = self._items
                return
        except (ValueError, RecursionError):
            pass  # told below, with the place in the whole text
        self._text = None
        self.document = json_document.parse(content.decode(), self.path, self._remedy)
        records = self.document.setdefault("lessons", [])
        if not isinstance(records, list):
            raise DamagedFile(f"lessons in {self.path} is {shown(records)} and not a list of records: {self._remedy}.")
        self._items = records
        self._digests = [None] * len(records)

    @property
    def records(self) -> list[object]:
        """All of them, to be read or changed by the caller."""
        for position in range(len(self._items)):
            self._items[position] = self._parsed(position)
        self._digests = [None] * len(self._items)
        return self._items

    def _parsed(self, position: int) -> object:
        item = self._items[position]
        return strict(bytes(item).decode()) if isinstance(item, msgspec.Raw) else item

    def record(self, number: int) -> object:
        """The record with that number, the first is 1; not to be changed."""
        return self._parsed(number - 1)

    def digests(self) -> list[bytes]:
        """Of the text of each record, by which what was made of it is found again."""
        self._digests = [
            digest or digest_of(piece_of(item)) for item, digest in zip(self._items, self._digests, strict=True)
        ]
        return cast(list[bytes], self._digests)

    def write(self) -> None:
        """Replaces the file by what this is now, which then is as good as reading it again."""
        style = self._style()
        text = lesson_text.spliced(self._text, self._items, style) if self._text and style else None
        if text is None or style is None:
            atomic.write_bytes(self.path, self.rendered())
            return
        self.content = text.joined(style)
        # What was a value until now has the digest of its text from now on.
        self._digests = [
            digest if isinstance(item, msgspec.Raw) else None
            for item, digest in zip(self._items, self._digests, strict=True)
        ]
        self._text, self._items = text, list(text.pieces)
        self.document["lessons"] = self._items
        self.changed = False
        self.written = atomic.write_chunks(self.path, [self.content])

    def pieces(self) -> list[bytes | msgspec.Raw]:
        """The text of each record: as it was written, or in a form of its own."""
        return [piece_of(item) for item in self._items]

    def _all_names(self) -> list[tuple[str, ...]]:
        if self._text is not None:
            with suppress(msgspec.MsgspecError):
                listed = self._text.listed or b"[" + b",".join(self._text.pieces) + b"]"
                found = msgspec.json.decode(listed, type=list[NameFields])
                return [names_in(each.id, each.slug) for each in found]
        return [names_of(self._parsed(position)) for position in range(len(self._items))]

    def lessons(self) -> list[Lesson]:
        """Every usable record, in the order of the file."""
        return [lesson for _, lesson in self._each() if isinstance(lesson, Lesson)]

    def problems(self) -> list[Problem]:
        return self.sorted_out()[1]

    def sorted_out(self, known: Container[bytes] = ()) -> tuple[list[int], list[Problem]]:
        """The numbers of usable records, and the others; those with a known digest are lessons, whatever they say."""
        found = list(self._each(known))
        usable = [number for number, lesson in found if not isinstance(lesson, Problem)]
        return usable, [problem for _, problem in found if isinstance(problem, Problem)]

    def _each(self, known: Container[bytes] = ()) -> Iterator[tuple[int, Lesson | Problem | None]]:
        """Every record by its number: None if it is known to be a lesson."""
        names = Names()
        digests = self.digests() if known else [b""] * len(self._items)
        for number, digest, own in zip(range(1, len(digests) + 1), digests, self._names_at, strict=True):
            try:
                lesson = None if digest in known else lesson_of(self.record(number))
                names.take(number, own)
                yield number, lesson
            except Refused as refused:
                yield number, self.problem(number, refused)

    def chosen(self, numbers: list[int], kind: type[Chosen]) -> list[Chosen]:
        """These records in a form that may leave fields out, read all at once."""
        pieces = self.pieces()
        with suppress(msgspec.MsgspecError):
            return msgspec.json.decode(b"[" + b",".join(pieces[each - 1] for each in numbers) + b"]", type=list[kind])  # type: ignore[valid-type]
        return [cast(Chosen, self.record(number)) for number in numbers]

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

    def rendered(self) -> bytes:
        """The document as text, laid out like the text it came from; records that did not change as they were."""
        style = self._style()
        if style is None:
            return json_document.render(self.document, json_document.Style()).encode()
        if self._text and (text := lesson_text.spliced(self._text, self._items, style)):
            return text.joined(style)
        return json_document.render({**self.document, "lessons": self.records}, style).encode()

    def _style(self) -> json_document.Style | None:
        """None where there is no text yet."""
        return None if self.content is None else json_document.style_of(self.content.decode())

    def _refuse_taken(self, document: dict[str, object], own: tuple[str, ...]) -> None:
        for field in ("id", "slug"):
            name = document[field]
            if not name:
                raise Refused(f'{field} is "": leave it out and one is made.')
            if name in self._names and name not in own:
                raise Refused(f"{field} is {shown(name)}, which another lesson has: leave it out and one is made.")

    def _record(self, name: str) -> tuple[int, dict[str, object]]:
        """Where it stands, and the record itself."""
        found = [position for position, names in enumerate(self._names_at) if name in names]
        if not found and name:
            found = [position for position, names in enumerate(self._names_at) if any_starts(names, name.lower())]
        if len(found) > 1:
            some = ", ".join(self._names_at[position][-1] for position in found[:5])
            raise Refused(f"{name} matches {len(found)} lessons ({some}): write more of the slug.")
        if not found:
            close = difflib.get_close_matches(name, self._names, n=1)
            hint = f"perhaps {close[0]} is meant" if close else "`lessons list --status all` shows them all"
            raise NotFound(f"There is no lesson {shown(name)}: {hint}.")
        record = self._parsed(found[0])
        assert isinstance(record, dict)
        return found[0], record


def read(home: str) -> LessonFile:
    """The file as it is now; a missing one is an empty document, a damaged one is refused with the place."""
    path = paths.lessons_file(home)
    remedy = _remedy(home)
    return LessonFile(path, json_document.read_content(path, remedy), remedy, compiled_lessons.known(home))


def _remedy(home: str) -> str:
    return f"correct it there, or put back a copy from {paths.backups_folder(home)}"


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
        if atomic.stamp(path) != stamp and json_document.read_content(path, _remedy(home)) != file.content:
            raise Busy(f"{path} was saved by another program just now and was left alone: try again.")
        backup.daily_copy(path, paths.backups_folder(home), datetime.now(UTC).date())
        if file.document.get("$schema") == _SCHEMA_REFERENCE:
            atomic.write_text(os.path.join(home, SCHEMA_NAME), schema_text())
        file.write()
