"""The lines of a Claude Code transcript as types: only the fields we read; the decoder skips the rest in C."""

import msgspec

from lessons.agents.claude_code.outcome import ResultDetails
from lessons.agents.object_lines import NOTHING


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


class RawLine(msgspec.Struct, rename="camel", gc=False):
    """A whole line; every field may be missing."""

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
    stop_reason: msgspec.Raw = NOTHING
    message: RawMessage | None = None
    tool_use_result: ResultDetails | str | list[msgspec.Raw] | None = None


line_of = msgspec.json.Decoder(RawLine).decode
usage_of = msgspec.json.Decoder(RawUsage).decode
