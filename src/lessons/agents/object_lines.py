"""What readers share: where transcripts are, and transcripts of one JSON object per line."""

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from zlib import crc32

import msgspec

from lessons.agents.base import RESULT_FOLDERS, Record
from lessons.agents.jsonl import made_plain, objects_in, storable
from lessons.agents.places import transcript_folders

Fields = dict[str, object]

PROMPT_LIMIT = 16_384
WORDS_LIMIT = 1_024 + 8_192  # more than is stored: a secret that is cut in two is not recognised
TITLE_LIMIT = 300
_TAG, TAGS_LIMIT = "#lesson", 1 << 20
_GIANT = 4 << 20
_DAMAGE = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)
_object_of = msgspec.json.Decoder(Fields).decode


class NoLines:
    """Reads no file line by line: for an agent with other sources only, or whose transcripts are not read."""

    suffix: str | tuple[str, ...] = ".jsonl"
    skipped_folders = RESULT_FOLDERS

    def __init__(self, agent: str, all_texts: bool = False) -> None:
        """`all_texts`: every text completely, not only its start."""
        self.agent = agent
        self._all_texts = all_texts

    def roots(self) -> list[str]:
        return transcript_folders(self.agent)

    def stem(self, path: str) -> str:
        return os.path.basename(path).removesuffix(".jsonl")

    def conversations(self, project_root: str) -> Iterable[str]:
        return ()

    def recognises(self, blocks: Iterable[bytes]) -> bool | None:
        return False

    def sound_records(self, data: bytes, position: int) -> list[Record] | None:
        return None

    def records(self, data: bytes, position: int) -> Sequence[Record | None]:
        return (None,)


class ObjectLines(NoLines):
    """A reader without the meaning of the objects."""

    beginning: re.Pattern[str] = re.compile(r"(?!)")  # of a record, to find the next one after damage

    def is_record(self, fields: Fields) -> bool:
        """Whether it is a whole line of the agent."""
        raise NotImplementedError

    def record(self, fields: Fields, position: int) -> Record:
        """Interprets it; no field has a guaranteed type."""
        raise NotImplementedError

    def recognises(self, blocks: Iterable[bytes]) -> bool | None:
        """Decides by the first object."""
        for block in blocks:
            for line in block.split(b"\n"):
                for found in objects_in(line, self.beginning, self.is_record):
                    if found is not None:
                        return self.is_record(found)
        return None

    def sound_records(self, data: bytes, position: int) -> list[Record] | None:
        if len(data) >= _GIANT:
            return None
        records = []
        try:
            for line in data.split(b"\n"):
                if line:
                    records.append(self.record(_object_of(line), position))
                position += len(line) + 1
        except _DAMAGE:
            return None
        return records

    def records(self, data: bytes, position: int) -> Sequence[Record | None]:
        try:
            return (self.record(_object_of(data if len(data) < _GIANT else made_plain(data)), position),)
        except _DAMAGE:
            return list(self._mended(data, position))

    def _mended(self, data: bytes, position: int) -> Iterator[Record | None]:
        for number, found in enumerate(objects_in(data, self.beginning, self.is_record)):
            clean = None if found is None else storable(found)
            yield self.record(clean, position + number) if isinstance(clean, dict) else None


def text(fields: object, name: str) -> str:
    """Returns a field as text; empty if it is missing or of another type."""
    value = fields.get(name) if isinstance(fields, dict) else None
    return value if isinstance(value, str) else ""


def number(fields: object, name: str) -> int | None:
    """Returns a field as a whole number; None if it is missing or of another type."""
    value = fields.get(name) if isinstance(fields, dict) else None
    if isinstance(value, bool) or not isinstance(value, int | float) or value != value // 1:
        return None
    return int(value)


def objects(fields: object, name: str) -> list[Fields]:
    """Returns the objects in a list."""
    value = fields.get(name) if isinstance(fields, dict) else None
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def inner(fields: object, name: str) -> Fields:
    """Returns an object in a field; empty if there is none."""
    value = fields.get(name) if isinstance(fields, dict) else None
    return value if isinstance(value, dict) else {}


def spoken(words: str, all_texts: bool) -> str:
    """Returns the stored part of the model's text: all of it if it may have a tag."""
    return words[: TAGS_LIMIT if all_texts or _TAG in words.lower() else WORDS_LIMIT]


def ends(words: str, length: int) -> str:
    """Returns a text, or start and end of a long one, joined by a newline."""
    return words if len(words) <= 2 * length else f"{words[:length]}\n{words[-length:]}"


def record_key(name: str, kind: str) -> int:
    """Returns a key that is equal for copies of a record; 0 if it has no id."""
    if not name:
        return 0
    return (crc32(name.encode("utf-8", "replace")) << 32 | crc32(kind.encode("utf-8", "replace"))) - (1 << 63)
