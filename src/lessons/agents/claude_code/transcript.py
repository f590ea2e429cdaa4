"""A line of a Claude Code transcript in, its record with the events of the session out (see FORMAT.md)."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from zlib import crc32

import msgspec

from lessons.agents.claude_code import places
from lessons.agents.claude_code.long_text import start_of
from lessons.agents.claude_code.messages import HANDLERS, PROMPT_LIMIT
from lessons.agents.claude_code.records import NOTHING, RawLine, fitting, giant_line_of, line_of, lines_of
from lessons.agents.events import Line, Record
from lessons.agents.jsonl import objects_in, storable

# Nothing happened in these; copies of requests and prompts are two thirds of what newer clients write.
SILENT = frozenset(
    "progress file-history-snapshot permission-mode last-prompt agent-name agent-setting pr-link bridge-session mode"
    " worktree-state content-replacement api-request api-request-shape api-request-blob prompt_snapshot tools-used"
    " cost-state atis-latch relocated marble-origami-commit marble-origami-snapshot artifact-comment-monitor".split()
)
_REQUESTS = "api-request"
_RECORD = re.compile(rf'\{{"(?:parentUuid"|type": ?"(?:{"|".join(map(re.escape, sorted(SILENT | HANDLERS.keys())))})")')
_WITHOUT_SESSION = ("summary", "file-history-snapshot")
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:?\d\d)")
_GIANT = 4 << 20
_LONG_START = 1 << 15  # of a line whose end is not in sight
_DAMAGE = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)


class Transcripts:
    """The reader of Claude Code."""

    agent = "claude-code"
    suffix = places.SUFFIX
    skipped_folders = places.SKIPPED_FOLDERS

    def roots(self) -> list[str]:
        return places.roots()

    def stem(self, path: str) -> str:
        return places.stem(path)

    def recognises(self, data: bytes) -> bool | None:
        """By the first line in an envelope like this client's; its type may be new."""
        if _begins_as_usual(data):
            return True
        met = False
        *lines, rest = data.split(b"\n")
        for line in lines:
            for found in objects_in(line, _RECORD, _is_record):
                if found is not None:
                    met = True
                    if (told := _is_ours(found)) is not None:
                        return told
        if len(rest) >= _LONG_START and _RECORD.match(rest[:200].decode("utf-8", "replace").lstrip("\ufeff\0")):
            return True
        return False if met else None

    def sound_records(self, data: bytes, position: int) -> list[Record] | None:
        if len(data) >= _GIANT:
            return None
        try:
            records = []
            at = 0
            for raw in lines_of(data):
                end = data.find(b"\n", at)
                if data[at : at + 1] != b"{" or data[end - 1 : end] != b"}":
                    return None  # a record may go on in the next line
                records.append(_record(raw, position + at))
                at = end + 1
        except _DAMAGE:
            return None
        return records if at == len(data) else None

    def records(self, data: bytes, position: int) -> Sequence[Record | None]:
        try:
            return (_record(line_of(data) if len(data) < _GIANT else giant_line_of(data, _beginning), position),)
        except _DAMAGE:
            return list(_mended(data, position))


def _begins_as_usual(data: bytes) -> bool:
    try:
        raw = line_of(data[: data.find(b"\n") + 1])
    except _DAMAGE:
        return False
    # The same client in other hands: its messages have no content, but parts.
    talk = raw.message is None or raw.message.content is not None
    return bool(raw.session_id) and (raw.type in SILENT or raw.type in HANDLERS) and talk


def _beginning(text: msgspec.Raw) -> str:
    return start_of(text, PROMPT_LIMIT)


def _mended(data: bytes, position: int) -> Iterator[Record | None]:
    for number, found in enumerate(objects_in(data, _RECORD, _is_record)):
        if found is None:
            yield None
            continue
        clean = storable(found)
        assert isinstance(clean, dict)
        line = line_of(fitting(clean))
        try:
            record = _record(line, position + number)
        except _DAMAGE:
            record = Record(_line(line, position + number), line.type, True, _key(line), [])
        yield record


def _is_ours(found: dict[str, object]) -> bool | None:
    """None where nothing tells; others took over the envelope, but not what is in a message."""
    kind, message = found.get("type"), found.get("message")
    if isinstance(kind, str) and isinstance(message, dict) and (kind in HANDLERS or "sessionId" in found):
        return "content" in message
    return _is_record(found) or None


def _is_record(found: dict[str, object]) -> bool:
    """Whether it is a whole line: messages inside of other lines do not name their session."""
    kind = found.get("type")
    return isinstance(kind, str) and ("sessionId" in found or kind in _WITHOUT_SESSION)


def _record(raw: RawLine, position: int) -> Record:
    kind = raw.type
    if kind in SILENT or kind.startswith(_REQUESTS):
        return _silent(kind)
    handler = HANDLERS.get(kind)
    events = handler(raw) if handler else []
    # Where nothing happened, only what the file as a whole is about matters.
    line = _line(raw, position) if events else Line(position, "", raw.session_id or "", cwd=raw.cwd or "")
    return Record(line, kind, handler is not None, _key(raw), events, kind == "user" or kind == "assistant")


@lru_cache(maxsize=64)
def _silent(kind: str) -> Record:
    """All that tell nothing are the same; nobody asks where they stand or whether they were met before."""
    return Record(Line(0), kind[:60], True, 0, [])


def _line(raw: RawLine, position: int) -> Line:
    time = raw.timestamp or ""
    return Line(
        position,
        raw.uuid or "",
        raw.session_id or "",
        raw.agent_id or "",
        bool(raw.is_sidechain),
        raw.forked_from is not NOTHING,
        time if _TIME.fullmatch(time) else "",
        raw.cwd or "",
        raw.git_branch or "",
        raw.version or "",
    )


def _key(raw: RawLine) -> int:
    """Copies share the uuid and what it says; a uuid alone is not enough: a client once gave many lines the same."""
    if not raw.uuid:
        return 0
    said = crc32(raw.type.encode())
    message = raw.message
    if message is None:
        said = crc32(raw.data, crc32(raw.attachment.content, said) if raw.attachment else said)
    elif isinstance(message.content, list):
        for block in message.content:
            name = block.id or block.tool_use_id
            said = crc32(name.encode("utf-8", "replace") if name else block.text, said)
    elif message.content:
        said = crc32(message.content[:PROMPT_LIMIT].encode("utf-8", "replace"), said)
    return (crc32(raw.uuid.encode("utf-8", "replace")) << 32 | said) - (1 << 63)
