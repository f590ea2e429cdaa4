"""Reads the lines of a Codex rollout as records with the events of the session (see FORMAT.md)."""

import re
from collections.abc import Iterable, Iterator, Sequence
from zlib import crc32

import msgspec

from lessons.agents.actions import Action
from lessons.agents.base import RESULT_FOLDERS, Line, Record
from lessons.agents.codex import places
from lessons.agents.codex.actions import action_of
from lessons.agents.codex.messages import HANDLERS, SILENT, ReadLine
from lessons.agents.codex.records import RawLine, line_of, lines_of
from lessons.agents.events import Called
from lessons.agents.jsonl import made_plain, objects_in, storable
from lessons.agents.long_text import first_byte
from lessons.agents.times import utc

_GIANT = 4 << 20
_DAMAGE = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)
_RECORD = re.compile(r'\{"timestamp": ?"')
_SPOKEN = ("response_item", "compacted")
_NAMED = "payload"


class Rollouts:
    """The reader of Codex."""

    agent = "codex"
    suffix = places.SUFFIX
    skipped_folders = RESULT_FOLDERS

    def __init__(self, all_texts: bool = False) -> None:
        """`all_texts`: reports all messages, not only those for mining."""
        self._all_texts = all_texts

    def roots(self) -> list[str]:
        return places.roots()

    def stem(self, path: str) -> str:
        return places.stem(path)

    def action_of(self, called: Called) -> Action | None:
        return action_of(called.tool, called.arguments)

    def made_task(self, printed: str) -> str:
        return ""

    def recognises(self, blocks: Iterable[bytes]) -> bool | None:
        """Decides by the first line with an envelope of this client."""
        has_records = False
        for block in blocks:
            for line in block.split(b"\n"):
                if line.strip():
                    has_records = True
                    if _is_ours(line):
                        return True
        return False if has_records else None

    def sound_records(self, data: bytes, position: int) -> list[Record] | None:
        if len(data) >= _GIANT:
            return None
        try:
            records = []
            at = 0
            for raw in lines_of(data):
                end = data.find(b"\n", at)
                if data[at : at + 1] != b"{" or data[end - 1 : end] != b"}":
                    return None  # a record may continue in the next line
                records.append(_record(raw, position + at, self._all_texts))
                at = end + 1
        except _DAMAGE:
            return None
        return records if at == len(data) else None

    def records(self, data: bytes, position: int) -> Sequence[Record | None]:
        for make in (bytes, made_plain):
            try:
                raw = line_of(make(data))
                if raw.type:
                    return (_record(raw, position, self._all_texts),)
            except _DAMAGE:
                continue
        return list(_mended(data, position, self._all_texts))


def _is_ours(line: bytes) -> bool:
    try:
        raw = line_of(line)
    except _DAMAGE:
        return any(_is_ours_mended(found) for found in objects_in(line, _RECORD, _is_record))
    return (raw.type in HANDLERS or raw.type in SILENT) and first_byte(raw.payload) == b"{"


def _is_ours_mended(found: dict[str, object] | None) -> bool:
    return found is not None and _is_record(found) and (found["type"] in HANDLERS or found["type"] in SILENT)


def _is_record(found: dict[str, object]) -> bool:
    return isinstance(found.get("type"), str) and isinstance(found.get(_NAMED), dict) and "timestamp" in found


def _mended(data: bytes, position: int, all_texts: bool) -> Iterator[Record | None]:
    for number, found in enumerate(objects_in(data, _RECORD, _is_record)):
        if found is None or not _is_record(found):
            yield None
            continue
        try:
            raw = line_of(msgspec.json.encode(storable(found)))
            yield _record(raw, position + number, all_texts)
        except _DAMAGE:
            yield Record(Line(position + number), str(found["type"])[:60], True, 0, [])


def _record(raw: RawLine, position: int, all_texts: bool) -> Record:
    handler = HANDLERS.get(raw.type)
    if handler is None:
        return Record(Line(position), raw.type[:60], raw.type in SILENT, 0, [])
    try:
        read = handler(raw.payload, all_texts)
    except msgspec.ValidationError:  # a field of another type: a future client
        read = ReadLine([], known=False)
    line = Line(position, time=utc(raw.timestamp or ""), cwd=read.cwd)
    return Record(line, raw.type, read.known, _key(raw, read), read.events, raw.type in _SPOKEN and bool(read.events))


def _key(raw: RawLine, read: ReadLine) -> int:
    """Copies share the name of their content, or else the time and the text; 0 without events."""
    if not read.events:
        return 0
    name = read.name or f"{raw.type} {raw.timestamp}"
    checksum = 0 if read.name else crc32(raw.payload)
    return (crc32(name.encode("utf-8", "replace")) << 32 | crc32(name[::-1].encode("utf-8", "replace"), checksum)) - (
        1 << 63
    )


READER = Rollouts()
FULL_READER = Rollouts(all_texts=True)
