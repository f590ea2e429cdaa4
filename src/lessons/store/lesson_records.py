"""The records of `lessons.json`: cut out of its text, read when they are asked for, and written back."""

import json
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext, suppress
from typing import Self, TypeVar, cast
from zlib import crc32

import msgspec

from lessons import json_document
from lessons.errors import DamagedFile
from lessons.json_document import strict
from lessons.model import shown
from lessons.schema import SCHEMA_NAME
from lessons.store import atomic, lesson_text
from lessons.store.compiled_lessons import digest_of
from lessons.store.file_text import Counted, FileText, changed_meanwhile, check_of
from lessons.store.lesson_layout import Layout, layout_of
from lessons.store.lesson_text import LessonText, Place, Spliced

Chosen = TypeVar("Chosen")
SCHEMA_REFERENCE = f"./{SCHEMA_NAME}"
_READ_AT_ONCE = 1_000


class LessonRecords:
    """A record is read only when it is asked for.

    `known` has the digests of records that were read before. In the others it looks for what could not be written back
    unchanged, such as a key that occurs twice.
    """

    def __init__(self, path: str, content: bytes | None, remedy: str, known: frozenset[bytes] = frozenset()) -> None:
        self.path = path
        self.is_missing = content is None
        self.changed = False
        self.written: tuple[int, int] | None = None  # size and time of the file, where this is what was written last
        self._content: bytes | FileText = content or b""
        self._check: int | None = None  # checksum of the content, where it is known
        self._remedy = remedy
        self._text: LessonText | None = None
        self._layout_names: list[tuple[str, ...]] | None = None
        self._items: list[object] = []
        self.document: dict[str, object] = {"$schema": SCHEMA_REFERENCE, "lessons": self._items}
        self._digests: list[bytes | None] = []  # of each record; None where it is not known yet
        if content is not None:
            self._read(content, known)

    @classmethod
    def as_noted(cls, path: str, source: bytes | FileText, layout: Layout, remedy: str) -> Self:
        """The file whose content is that of the layout, which need not be cut again."""
        file = cls(path, None, remedy)
        file.is_missing, file._content, file._check = False, source, layout.check
        file._text = layout.text(source)
        file.document = cast(dict[str, object], strict(file._text.shell()))
        file._items = list(map(Place, range(len(file._text.lengths))))
        file.document["lessons"] = file._items
        file._digests = list(layout.each_digest())
        file._layout_names = layout.names
        return file

    def layout(self, names: list[tuple[str, ...]]) -> Layout | None:
        """By which the same content is read faster the next time; None where that is not possible."""
        if self._text is None or self.changed:
            return None
        if self._check is None:
            self._check = crc32(self._content[:])
        return layout_of(self._text, self._check, self.digests(), names)

    def _read(self, content: bytes, known: frozenset[bytes]) -> None:
        """The records as pieces of the text, where it can be cut; damage is told with its place."""
        cut = lesson_text.split(content)
        try:
            shell = strict(cut.shell()) if cut else None
            if cut and isinstance(shell, dict) and shell.get("lessons") == []:
                self.document, self._text = shell, cut
                self._items = list(map(Place, range(len(cut.lengths))))
                self._digests = [None] * len(self._items)
                for position, digest in enumerate(self.digests()):
                    if digest not in known:
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

    def leave_in_file(self) -> None:
        """Frees the memory of a content that can be read from the file again, part by part."""
        if self._text is None or not self._text.gap or isinstance(self._content, FileText):
            return
        self.digests()
        self._check = crc32(self._content)
        self._content = FileText(self.path, len(self._content), self._check)
        self._text = self._text._replace(source=self._content)

    @property
    def records(self) -> list[object]:
        """All of them, to be read or changed by the caller."""
        for position in range(len(self._items)):
            self._items[position] = self._parsed(position)
        self._digests = [None] * len(self._items)
        return self._items

    def _parsed(self, position: int) -> object:
        item = self._items[position]
        return strict(self._piece(item, self._digests[position]).decode()) if isinstance(item, Place) else item

    def _piece(self, item: object, digest: bytes | None = None) -> bytes:
        """Its text as it was written, or in a form of its own."""
        if not isinstance(item, Place):
            return json.dumps(item).encode()
        assert self._text is not None
        piece = self._text.piece(item)
        # A part of a long file is read by itself: it must be of the file that was looked at.
        if digest and isinstance(self._content, FileText) and digest_of(piece) != digest:
            raise changed_meanwhile(self.path)
        return piece

    def record(self, number: int) -> object:
        """The record with that number, the first is 1; not to be changed."""
        return self._parsed(number - 1)

    def digests(self) -> list[bytes]:
        """Of the text of each record, by which what was made of it is found again."""
        self._digests = [
            digest or digest_of(self._piece(item)) for item, digest in zip(self._items, self._digests, strict=True)
        ]
        return cast(list[bytes], self._digests)

    def write(self) -> None:
        """Replaces the file by what this is now, which then is as good as reading it again."""
        spliced = self._spliced()
        if spliced is None:
            atomic.write_bytes(self.path, self.rendered())
            self.written = None
            return
        counted = Counted(spliced.chunks())
        self.written = atomic.write_chunks(self.path, counted)
        # What was a value until now has the digest of its text from now on.
        self._digests = [
            digest if isinstance(item, Place) else digest_of(item)
            for item, digest in zip(spliced.items, self._digests, strict=True)
        ]
        self._content, self._check = FileText(self.path, counted.length, counted.check), counted.check
        self._text = spliced.over(self._content)
        self._items = list(map(Place, range(len(self._items))))
        self.document["lessons"] = self._items
        self.changed = False

    def is_as_read(self) -> bool:
        """Whether the file still has the content that was read."""
        if isinstance(self._content, FileText):
            with suppress(OSError), open(self.path, "rb") as file:
                return check_of(file) == self._content.check
            return False
        return json_document.read_content(self.path, self._remedy) == (None if self.is_missing else self._content)

    def chosen(self, numbers: list[int], kind: type[Chosen]) -> Iterator[Chosen]:
        """These records in a form that may leave fields out; one that does not fit it is as it stands in the file."""
        for start in range(0, len(numbers), _READ_AT_ONCE):
            yield from self._chosen(numbers[start : start + _READ_AT_ONCE], kind)

    def _chosen(self, numbers: list[int], kind: type[Chosen]) -> list[Chosen]:
        try:
            found: list[Chosen] = msgspec.json.decode(self._listed(numbers), type=list[kind])  # type: ignore[valid-type]
            return found
        except msgspec.MsgspecError:
            return [cast(Chosen, self.record(number)) for number in numbers]

    def held(self) -> AbstractContextManager[None]:
        """All records are those of the file that was read, even if it is replaced meanwhile."""
        return self._content.held() if isinstance(self._content, FileText) else nullcontext()

    def _listed(self, numbers: list[int]) -> bytes:
        """The text of a list of these records."""
        items = [self._items[number - 1] for number in numbers]
        if self._text and self._text.gap and all(map(_is_next, items, items[1:])) and isinstance(items[0], Place):
            start, stop = self._text.between(items[0], cast(Place, items[-1]))
            return b"[" + self._text.source[start:stop] + b"]"
        return b"[" + b",".join(map(self._piece, items)) + b"]"

    def rendered(self) -> bytes:
        """The document as text, laid out like the text it came from; records that did not change as they were."""
        if self.is_missing:
            return json_document.render(self.document, json_document.Style()).encode()
        if spliced := self._spliced():
            return b"".join(spliced.chunks())
        style = json_document.style_of(self._content[:].decode())
        return json_document.render({**self.document, "lessons": self.records}, style).encode()

    def _spliced(self) -> Spliced | None:
        if self._text is None:
            return None
        return lesson_text.spliced(self._text, self._items, json_document.style_at_ends(self._content))


def _is_next(one: object, other: object) -> bool:
    return isinstance(one, Place) and isinstance(other, Place) and other == one + 1
