"""What readers share: where transcripts are, JSON lines and what is left of damaged ones, and fields."""

import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any
from zlib import crc32

import msgspec

from lessons.agents.base import Line, Record
from lessons.agents.places import transcript_folders

Fields = dict[str, object]

PROMPT_LIMIT = 16_384
WORDS_LIMIT = 1_024 + 8_192  # more than is stored: a secret that is cut in two is not recognised
TITLE_LIMIT = 300
_TAG, TAGS_LIMIT = "#lesson", 1 << 20
DAMAGE = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)

NOTHING = msgspec.Raw(b"null")
anything_of = msgspec.json.Decoder().decode


# Output of tools, beside transcripts: a file of lines in there is never a transcript.
RESULT_FOLDERS = frozenset({"tool-results"})


class Reader:
    """What the scan needs of an agent: it handles files and bytes, not the use of the events.

    This one reads no file line by line: for an agent with other sources only, or whose transcripts are not read.
    """

    suffix: str | tuple[str, ...] = ".jsonl"  # of its transcripts; .zst means compressed
    skipped_folders = RESULT_FOLDERS  # names of folders with other content

    def __init__(self, agent: str, all_texts: bool = False) -> None:
        """`all_texts`: every text completely, not only its start."""
        self.agent = agent
        self._all_texts = all_texts

    def roots(self) -> list[str]:
        """Returns the folders in which this agent stores its transcripts, existing or not."""
        return transcript_folders(self.agent)

    def stem(self, path: str) -> str:
        """Returns the name of a transcript in the keys of its segments."""
        return os.path.basename(path).removesuffix(".jsonl")

    def conversations(self, project_root: str) -> Iterable[str]:
        """Yields transcripts that may be of this project, or all if none is named; without those of subagents."""
        return ()

    def recognises(self, blocks: Iterable[bytes]) -> bool | None:
        """Whether a file that starts with these lines is this agent's; None while unknown.

        Every block has whole lines, or one unfinished line; takes only as many as it needs.
        """
        return False

    def sound_records(self, data: bytes, position: int) -> list[Record] | None:
        """Returns the records of many whole lines, one each; None if a line must be read separately."""
        return None

    def records(self, data: bytes, position: int) -> Sequence[Record | None]:
        """Returns the records of one line (nearly always one); None replaces a damaged one."""
        return (None,)


class ObjectLines(Reader):
    """Reads one JSON object per line; without the meaning of the objects."""

    beginning: re.Pattern[str]  # of a record, to find the next one after damage
    decode: Callable[[bytes], Any] = staticmethod(msgspec.json.Decoder(Fields).decode)

    def is_record(self, fields: Fields) -> bool:
        """Whether it is a whole line of the agent."""
        raise NotImplementedError

    def record(self, decoded: Any, position: int) -> Record:
        """Interprets a decoded line."""
        raise NotImplementedError

    def recognises(self, blocks: Iterable[bytes]) -> bool | None:
        """Decides by the first object."""
        return next((self.is_record(found) for found in self.objects(blocks)), None)

    def objects(self, blocks: Iterable[bytes]) -> Iterator[Fields]:
        for block in blocks:
            for line in block.split(b"\n"):
                yield from (found for found in objects_in(line, self.beginning, self.is_record) if found is not None)

    def sound_records(self, data: bytes, position: int) -> list[Record] | None:
        records = []
        try:
            for line in data.split(b"\n"):
                if line:
                    records.append(self.record(self.decode(line), position))
                position += len(line) + 1
        except DAMAGE:
            return None
        return records

    def records(self, data: bytes, position: int) -> Sequence[Record | None]:
        try:
            return (self.record(self.decode(data), position),)
        except DAMAGE:
            return list(self._mended(data, position))

    def _mended(self, data: bytes, position: int) -> Iterator[Record | None]:
        for number, found in enumerate(objects_in(data, self.beginning, self.is_record)):
            if found is None:
                yield None
                continue
            try:
                yield self.record(self.decode(msgspec.json.encode(storable(found))), position + number)
            except DAMAGE:  # a field of another type: a future client
                yield Record(Line(position + number), text(found, "type")[:60], False, 0, [])


# Limits for unreadable ranges: attempts, and a multiple of the line length.
_ATTEMPTS = 500
_TIMES = 2
# Deeper values are not useful, and every level costs stack.
_DEPTH = 100


def objects_in(line: bytes, beginning: re.Pattern[str], is_record: Callable[[Fields], bool]) -> Iterator[Fields | None]:
    """Yields every object of the line in order; None replaces a range without any.

    After an unreadable range it continues at the next start of a record, found by `beginning`. An object there may be
    part of the broken record, so `is_record` must confirm that it is whole.
    """
    text = line.replace(b"\0", b"").decode("utf-8", "replace").lstrip("\ufeff").strip()
    place, lost = 0, False
    attempts, room = _ATTEMPTS, _TIMES * len(text)
    while place < len(text):
        value, end = _decoded(text, place)
        if isinstance(value, dict) and (not lost or is_record(value)):
            yield value
            place, lost = _next_word(text, end), False
            continue
        if not lost:
            yield None
            lost = True
        attempts, room = attempts - 1, room - (end - place)
        found = beginning.search(text, place + 1) if attempts and room > 0 else None
        place = found.start() if found else len(text)


def _decoded(text: str, place: int) -> tuple[object, int]:
    """Returns the value that starts there, and how far the text was read."""
    try:
        return _DECODER.raw_decode(text, place)
    except json.JSONDecodeError as fault:
        # An unterminated string is reported at its start.
        return None, len(text) if fault.msg.startswith("Unterminated") else fault.pos
    except (ValueError, RecursionError):
        return None, len(text)


def _next_word(text: str, place: int) -> int:
    while place < len(text) and text[place].isspace():
        place += 1
    return place


def _whole_number(digits: str) -> int | None:
    return int(digits) if len(digits) < 4_000 else None  # Python refuses longer ones


# Not strict: control characters in a string must not lose the record.
_DECODER = json.JSONDecoder(strict=False, parse_int=_whole_number)


def storable(value: object, depth: int = _DEPTH) -> object:
    """Returns the value without what cannot be encoded: lone surrogates, huge numbers, excessive depth."""
    if isinstance(value, str):
        return value if value.isascii() else value.encode("utf-8", "replace").decode()
    if isinstance(value, int) and value.bit_length() > 63:
        return None
    if not isinstance(value, list | dict):
        return value
    if not depth:
        return None
    if isinstance(value, list):
        return [storable(item, depth - 1) for item in value]
    return {storable(key): storable(item, depth - 1) for key, item in value.items()}


_TEXT_BLOCKS = ("text", "input_text", "output_text")


class _Block(msgspec.Struct, gc=False):
    type: str = ""
    text: msgspec.Raw = NOTHING


_text_of = msgspec.json.Decoder(str).decode
_blocks_of = msgspec.json.Decoder(list[_Block]).decode


def first_byte(raw: msgspec.Raw) -> bytes:
    """Returns enough to distinguish an object, a list, a string and nothing."""
    return bytes(memoryview(raw)[:1])


def start_of(raw: msgspec.Raw, limit: int) -> str:
    """Returns the first characters of a JSON string, or of the texts in a list of blocks."""
    return ends_of(raw, limit, 0)


def ends_of(raw: msgspec.Raw, first: int, last: int) -> str:
    """Returns the first and the last characters, joined by a newline if something between them is left out."""
    kind = first_byte(raw)
    if kind == b"[":
        words = "\n".join(ends_of(block.text, first, last) for block in _blocks_of(raw) if block.type in _TEXT_BLOCKS)
    else:
        words = _text_of(raw) if kind == b'"' else ""
    if len(words) <= first + last:
        return words
    return f"{words[:first]}\n{words[-last:]}" if last else words[:first]


def arguments_of(raw: msgspec.Raw) -> dict[object, object]:
    """Returns the arguments of a call; empty if they are not an object."""
    given = anything_of(raw)
    return given if isinstance(given, dict) else {}


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


def object_of(data: bytes | str) -> Fields | None:
    """Returns a JSON object without what cannot be stored; None if the data is anything else."""
    try:
        found = storable(anything_of(data))
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


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
