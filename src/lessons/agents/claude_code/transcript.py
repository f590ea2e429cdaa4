"""Reads the lines of a Claude Code transcript as records with the events of the session (see FORMAT.md)."""

import glob
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from zlib import crc32

import msgspec

from lessons.agents.base import NOWHERE, Line, Record
from lessons.agents.claude_code.messages import ALL_TEXTS, HANDLERS, Handlers, answer_of
from lessons.agents.claude_code.records import RawLine, fitting, giant_line_of, line_of, lines_of
from lessons.agents.jsonl import NOTHING, made_plain, objects_in, start_of, storable
from lessons.agents.names import plain_id, utc
from lessons.agents.object_lines import PROMPT_LIMIT, NoLines
from lessons.agents.places import dashed_names

# These have no events; copies of requests and prompts are two thirds of what newer clients write.
SILENT = frozenset(
    "progress file-history-snapshot permission-mode last-prompt agent-name agent-setting pr-link bridge-session mode"
    " worktree-state content-replacement api-request api-request-shape api-request-blob prompt_snapshot tools-used"
    " cost-state atis-latch relocated marble-origami-commit marble-origami-snapshot artifact-comment-monitor".split()
)
_REQUESTS = "api-request"
_RECORD = re.compile(rf'\{{"(?:parentUuid"|type": ?"(?:{"|".join(map(re.escape, sorted({*SILENT, *HANDLERS})))})")')
_WITHOUT_SESSION = ("summary", "file-history-snapshot")
_GIANT = 4 << 20
_OPENS, _CLOSES = b"{}"
_DAMAGE = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)


class Transcripts(NoLines):
    """The reader of Claude Code."""

    def __init__(self, all_texts: bool = False) -> None:
        """`all_texts`: reports all messages, outputs and requests, including those of scripts; mining needs less."""
        super().__init__("claude-code", all_texts)
        self._handlers = ALL_TEXTS if all_texts else HANDLERS

    def conversations(self, project_root: str) -> Iterator[str]:
        """Selects by folder name: some may be of another project."""
        names = dashed_names(project_root)
        for root in self.roots():
            for path in glob.iglob(f"{glob.escape(root)}/*/*.jsonl"):
                is_meant = not project_root or os.path.basename(os.path.dirname(path)).startswith(names)
                if is_meant and not os.path.basename(path).startswith("agent-"):
                    yield path

    def recognises(self, blocks: Iterable[bytes]) -> bool | None:
        """Decides by the first line in an envelope like this client's; its type may be new."""
        has_records = False
        for block in blocks:
            if _begins_as_usual(block):
                return True
            for found in _objects_of(block):
                if (verdict := _is_ours(found, has_records)) is not None:
                    return verdict
                has_records = True
        return False if has_records else None

    def sound_records(self, data: bytes, position: int) -> list[Record] | None:
        if len(data) >= _GIANT:
            return None
        try:
            records = []
            at = 0
            handlers = self._handlers
            for raw in lines_of(data):
                end = data.find(b"\n", at)
                if data[at] != _OPENS or data[end - 1] != _CLOSES:
                    return None  # a record may continue in the next line
                records.append(_record(raw, position + at, handlers))
                at = end + 1
        except _DAMAGE:
            return None
        return records if at == len(data) else None

    def records(self, data: bytes, position: int) -> Sequence[Record | None]:
        try:
            line = line_of(data) if len(data) < _GIANT else _giant(data)
            if line is not None:
                return (_record(line, position, self._handlers),)
        except _DAMAGE:
            pass
        return list(_mended(data, position, self._handlers))


def _giant(data: bytes) -> RawLine | None:
    """Decodes a very long line, if necessary after removing what breaks it; None if that fails."""
    for make in (bytes, made_plain):
        try:
            return giant_line_of(make(data), _beginning)
        except _DAMAGE:
            continue
    return None


def _objects_of(block: bytes) -> Iterator[dict[str, object]]:
    """Yields the objects in the lines; for a very long line only what shows whose it is."""
    line = _giant(block) if len(block) >= _GIANT else None
    if line is not None:
        session = {"sessionId": line.session_id} if line.session_id else {}
        message = line.message and {"message": {} if line.message.content is None else {"content": ""}}
        yield {"type": line.type, **session, **(message or {})}
        return
    for data in block.split(b"\n"):
        yield from (found for found in objects_in(data, _RECORD, _is_record) if found is not None)


def _begins_as_usual(data: bytes) -> bool:
    if len(data) >= _GIANT:
        return False
    try:
        raw = line_of(data[: data.find(b"\n") + 1])
    except _DAMAGE:
        return False
    # A client derived from this one: its messages have parts instead of content.
    talk = raw.message is None or raw.message.content is not None
    named = bool(raw.session_id) or raw.type in _WITHOUT_SESSION
    return named and (raw.type in SILENT or raw.type in HANDLERS) and talk


def _beginning(text: msgspec.Raw) -> str:
    return start_of(text, PROMPT_LIMIT)


def _mended(data: bytes, position: int, handlers: Handlers) -> Iterator[Record | None]:
    for number, found in enumerate(objects_in(data, _RECORD, _is_record)):
        if found is None:
            yield None
            continue
        clean = storable(found)
        assert isinstance(clean, dict)
        line = line_of(fitting(clean))
        try:
            record = _record(line, position + number, handlers)
        except _DAMAGE:
            record = Record(_line(line, position + number), line.type, True, _key(line), [])
        yield record


def _is_ours(found: dict[str, object], after_others: bool) -> bool | None:
    """None if unknown; other clients copied the envelope, but not the content of messages."""
    kind, message = found.get("type"), found.get("message")
    if after_others and not (isinstance(kind, str) and "sessionId" in found and (kind in HANDLERS or kind in SILENT)):
        return None
    if isinstance(kind, str) and isinstance(message, dict) and (kind in HANDLERS or "sessionId" in found):
        return "content" in message
    return _is_record(found) or None


def _is_record(found: dict[str, object]) -> bool:
    """Whether it is a whole line: messages inside other lines do not name their session."""
    kind = found.get("type")
    return isinstance(kind, str) and ("sessionId" in found or kind in _WITHOUT_SESSION)


def _record(raw: RawLine, position: int, handlers: Handlers) -> Record:
    kind = raw.type
    silent = _SILENT_RECORDS.get(kind)
    if silent is not None:
        return silent
    if kind.startswith(_REQUESTS):
        return _silent(kind)
    handler = handlers.get(kind)
    events = handler(raw) if handler else []
    answer = answer_of(raw) if kind == "assistant" else None
    # Without events, only what describes the file as a whole matters.
    if events or answer:
        line = _line(raw, position)
    else:
        time = utc(raw.timestamp or "")
        line = Line(position, plain_id(raw.uuid), plain_id(raw.session_id), "", False, False, time, raw.cwd or "")
    return Record(line, kind, handler is not None, _key(raw), events, kind == "user" or kind == "assistant", answer)


@lru_cache(maxsize=64)
def _silent(kind: str) -> Record:
    """Records without events are all equal; neither their position nor their key is needed."""
    return Record(NOWHERE, kind[:60], True, 0, [])


_SILENT_RECORDS = {kind: _silent(kind) for kind in SILENT}
_TYPE_CHECKSUMS = {kind: crc32(kind.encode()) for kind in HANDLERS}


def _line(raw: RawLine, position: int) -> Line:
    return Line(
        position,
        plain_id(raw.uuid),
        plain_id(raw.session_id),
        plain_id(raw.agent_id),
        bool(raw.is_sidechain),
        raw.forked_from is not NOTHING,
        utc(raw.timestamp or ""),
        raw.cwd or "",
        raw.git_branch or "",
        raw.version or "",
    )


def _key(raw: RawLine) -> int:
    """Copies share uuid and content; a uuid alone is not enough: a client once gave many lines the same."""
    if not raw.uuid:
        return 0
    checksum = _TYPE_CHECKSUMS.get(raw.type) or crc32(raw.type.encode())
    message = raw.message
    if message is None:
        checksum = crc32(raw.data, crc32(raw.attachment.content, checksum) if raw.attachment else checksum)
    elif isinstance(message.content, list):
        for block in message.content:
            name = block.id or block.tool_use_id
            checksum = crc32(name.encode(), checksum) if name else crc32(block.text, checksum)
    elif message.content:
        checksum = crc32(message.content[:PROMPT_LIMIT].encode("utf-8", "replace"), checksum)
    return (crc32(raw.uuid.encode()) << 32 | checksum) - (1 << 63)


READER = Transcripts()
FULL_READER = Transcripts(all_texts=True)
