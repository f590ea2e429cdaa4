"""The lines of a Claude Code transcript as types: only the fields we read; the decoder skips the rest in C."""

from collections.abc import Callable
from typing import ClassVar

import msgspec

from lessons.agents.claude_code.outcome import ResultDetails
from lessons.agents.jsonl import NOTHING, anything_of, first_byte, parts_of


class RawBlock(msgspec.Struct, gc=False):
    """One block of a message's content."""

    type: str = ""
    id: str | None = None
    name: str | None = None
    tool_use_id: str | None = None
    is_error: bool | None = None
    input: msgspec.Raw = NOTHING
    content: msgspec.Raw = NOTHING
    text: msgspec.Raw = NOTHING


class RawMessage(msgspec.Struct, gc=False):
    """A message of either side."""

    id: str | None = None
    model: str | None = None
    stop_reason: str | None = None
    content: list[RawBlock] | str | None = None
    usage: msgspec.Raw = NOTHING


class RawUsage(msgspec.Struct, gc=False):
    """The tokens that a message of the model used."""

    input_tokens: int | None = None
    output_tokens: int | None = None
    cache_read_input_tokens: int | None = None
    cache_creation_input_tokens: int | None = None


class RawAttachment(msgspec.Struct, gc=False):
    """What the client or a hook added to the conversation."""

    type: str = ""
    hookName: str | None = None  # noqa: N815
    hookEvent: str | None = None  # noqa: N815
    toolUseID: str | None = None  # noqa: N815
    content: msgspec.Raw = NOTHING
    prompt: msgspec.Raw = NOTHING


class RawOrigin(msgspec.Struct, gc=False):
    """The sender of a message."""

    kind: str | None = None


class Envelope(msgspec.Struct, rename="camel", gc=False):
    """All of a line except potentially very long fields; every field may be missing."""

    type: str = ""
    subtype: str | None = None
    operation: str | None = None
    uuid: str | None = None
    request_id: str | None = None
    session_id: str | None = None
    agent_id: str | None = None
    timestamp: str | None = None
    cwd: str | None = None
    git_branch: str | None = None
    version: str | None = None
    entrypoint: str | None = None
    prompt_source: str | None = None
    tool_denial_kind: str | None = None
    interrupted_message_id: str | None = None
    custom_title: str | None = None
    ai_title: str | None = None
    summary: str | None = None
    is_sidechain: bool | None = None
    is_meta: bool | None = None
    is_compact_summary: bool | None = None
    is_visible_in_transcript_only: bool | None = None
    prevented_continuation: bool | None = None
    origin: RawOrigin | None = None
    attachment: RawAttachment | None = None
    permission_decision: msgspec.Raw = NOTHING
    content: msgspec.Raw = NOTHING
    data: msgspec.Raw = NOTHING
    forked_from: msgspec.Raw = NOTHING
    hook_count: msgspec.Raw = NOTHING
    hook_errors: msgspec.Raw = NOTHING
    hook_infos: msgspec.Raw = NOTHING


class RawLine(Envelope, rename="camel", gc=False):
    """A whole line."""

    message: RawMessage | None = None
    tool_use_result: ResultDetails | str | list[msgspec.Raw] | None = None


class _Bulk(msgspec.Struct, rename="camel", gc=False):
    """Potentially very long fields, undecoded."""

    message: "_BulkMessage | None" = None
    tool_use_result: msgspec.Raw = NOTHING


class _BulkMessage(msgspec.Struct, gc=False):
    id: str | None = None
    model: str | None = None
    stop_reason: str | None = None
    content: msgspec.Raw = NOTHING
    usage: msgspec.Raw = NOTHING


line_of = msgspec.json.Decoder(RawLine).decode
lines_of = msgspec.json.Decoder(RawLine).decode_lines
usage_of = msgspec.json.Decoder(RawUsage).decode
_envelope_of = msgspec.json.Decoder(Envelope).decode
_bulk_of = msgspec.json.Decoder(_Bulk).decode
_DETAILS = {field.encode_name: field.name for field in msgspec.structs.fields(ResultDetails)}
_LONGEST_DETAIL = 1 << 16
_MOST_BLOCKS = 50_000


def giant_line_of(data: bytes | bytearray, shortened: Callable[[msgspec.Raw], str]) -> RawLine:
    """Decodes a line so long that no part of it should be in memory twice: takes only the start of long texts."""
    bulk = _bulk_of(data)
    message = None
    if bulk.message is not None:
        content = bulk.message.content
        kind = first_byte(content)
        blocks = _first_blocks(content) if kind == b"[" else shortened(content) if kind == b'"' else None
        bulk_message = bulk.message
        message = RawMessage(bulk_message.id, bulk_message.model, bulk_message.stop_reason, blocks, bulk_message.usage)
    details = _short_details(bulk.tool_use_result) if first_byte(bulk.tool_use_result) == b"{" else None
    fields = {name: getattr(envelope, name) for envelope in [_envelope_of(data)] for name in _ENVELOPE}
    return RawLine(**fields, message=message, tool_use_result=details)


def _short_details(raw: msgspec.Raw) -> ResultDetails:
    """Decodes without long fields: none of the relevant ones is long."""
    found = ResultDetails()
    for name, part in parts_of(raw).items():
        if name == "task":
            found.task = part
        elif name in _DETAILS and len(memoryview(part)) <= _LONGEST_DETAIL:
            setattr(found, _DETAILS[name], anything_of(part))
    return found


class _Enough(Exception):
    """The limit of blocks read from one message."""


class _CountedBlock(RawBlock, gc=False):
    found: ClassVar[list[RawBlock]] = []

    def __post_init__(self) -> None:
        if len(self.found) >= _MOST_BLOCKS:
            raise _Enough
        self.found.append(self)


_counted_blocks_of = msgspec.json.Decoder(list[_CountedBlock]).decode


def _first_blocks(raw: msgspec.Raw) -> list[RawBlock]:
    """Decodes only the first blocks: millions of blocks would take ten times their file size in memory."""
    try:
        _counted_blocks_of(raw)
    except _Enough:
        pass
    finally:
        found = list(_CountedBlock.found)
        _CountedBlock.found.clear()
    return found


_ENVELOPE = Envelope.__struct_fields__
_KINDS: dict[object, type] = {
    str: str,
    (str | None): str,
    (bool | None): bool,
    (RawOrigin | None): dict,
    (RawAttachment | None): dict,
}


def _kinds(struct: type[msgspec.Struct]) -> dict[str, type]:
    fields = msgspec.structs.fields(struct)
    return {field.encode_name: _KINDS[field.type] for field in fields if field.type in _KINDS}


_OF_LINE, _OF_BLOCK = _kinds(Envelope), _kinds(RawBlock)
_OF_MESSAGE, _OF_ATTACHMENT, _OF_ORIGIN = _kinds(RawMessage), _kinds(RawAttachment), _kinds(RawOrigin)


def fitting(record: dict[str, object]) -> bytes:
    """Converts a record with unexpected types to JSON that `line_of` accepts: drops what does not fit."""
    kept = _fits(record, _OF_LINE)
    if "message" in kept:
        kept["message"] = _message(kept["message"])
    for name, kinds in (("attachment", _OF_ATTACHMENT), ("origin", _OF_ORIGIN)):
        inner = kept.get(name)
        if isinstance(inner, dict):
            kept[name] = _fits(inner, kinds)
    if not isinstance(kept.get("toolUseResult"), dict | str | list):
        kept.pop("toolUseResult", None)
    return msgspec.json.encode(kept)


def _message(message: object) -> dict[str, object] | None:
    if not isinstance(message, dict):
        return None
    kept = _fits(message, _OF_MESSAGE)
    content = message.get("content")
    if isinstance(content, list):
        kept["content"] = [_block(block) for block in content if isinstance(block, dict)]
    elif not isinstance(content, str):
        kept.pop("content", None)
    return kept


def _block(block: dict[str, object]) -> dict[str, object]:
    kept = _fits(block, _OF_BLOCK)
    if block.get("is_error") and "is_error" not in kept:
        # A flag of another type is still a flag, unless its text says no.
        kept["is_error"] = str(block["is_error"]).lower() not in ("false", "0", "no")
    return kept


def _fits(values: dict[str, object], kinds: dict[str, type]) -> dict[str, object]:
    return {name: value for name, value in values.items() if isinstance(value, kinds.get(name, object))}
