"""Reads the lines of a Claude Code transcript as records with the events of the session (see FORMAT.md)."""

import glob
import os
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from zlib import crc32

from lessons.agents.base import NOWHERE, Line, Record
from lessons.agents.claude_code.messages import ALL_TEXTS, HANDLERS, answer_of
from lessons.agents.claude_code.records import RawLine, line_of
from lessons.agents.names import plain_id, utc
from lessons.agents.object_lines import NOTHING, PROMPT_LIMIT, Fields, ObjectLines
from lessons.agents.places import dashed_names

# These have no events; copies of requests and prompts are two thirds of what newer clients write.
SILENT = frozenset(
    "progress file-history-snapshot permission-mode last-prompt agent-name agent-setting pr-link bridge-session mode"
    " worktree-state content-replacement api-request api-request-shape api-request-blob prompt_snapshot tools-used"
    " cost-state atis-latch relocated marble-origami-commit marble-origami-snapshot artifact-comment-monitor".split()
)
_REQUESTS = "api-request"
_WITHOUT_SESSION = ("summary", "file-history-snapshot")


class Transcripts(ObjectLines):
    """The reader of Claude Code."""

    beginning = re.compile(
        rf'\{{"(?:parentUuid"|type": ?"(?:{"|".join(map(re.escape, sorted({*SILENT, *HANDLERS})))})")'
    )
    decode = staticmethod(line_of)

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
        for found in self.objects(blocks):
            kind, message = found.get("type"), found.get("message")
            is_known = isinstance(kind, str) and (kind in HANDLERS or kind in SILENT)
            if not has_records or (is_known and "sessionId" in found):
                # Other clients copied the envelope, but not the content of messages.
                if isinstance(message, dict) and isinstance(kind, str) and (kind in HANDLERS or "sessionId" in found):
                    return "content" in message
                if self.is_record(found):
                    return True
            has_records = True
        return False if has_records else None

    def is_record(self, fields: Fields) -> bool:
        """Whether it is a whole line: messages inside other lines do not name their session."""
        kind = fields.get("type")
        return isinstance(kind, str) and ("sessionId" in fields or kind in _WITHOUT_SESSION)

    def record(self, decoded: RawLine, position: int) -> Record:
        kind = decoded.type
        silent = _SILENT_RECORDS.get(kind)
        if silent is not None:
            return silent
        if kind.startswith(_REQUESTS):
            return _silent(kind)
        handler = self._handlers.get(kind)
        events = handler(decoded) if handler else []
        answer = answer_of(decoded) if kind == "assistant" else None
        # Without events, only what describes the file as a whole matters.
        if events or answer:
            line = _line(decoded, position)
        else:
            session, time = plain_id(decoded.session_id), utc(decoded.timestamp or "")
            line = Line(position, plain_id(decoded.uuid), session, time=time, cwd=decoded.cwd or "")
        is_conversation = kind == "user" or kind == "assistant"
        return Record(line, kind, handler is not None, _key(decoded), events, is_conversation, answer)


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
