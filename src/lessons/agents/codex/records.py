"""The lines of a Codex rollout as types: only the fields we read; the decoder skips the rest in C."""

import msgspec

from lessons.agents.object_lines import NOTHING

# Raw parts may be long and are decoded only if needed.


class RawLine(msgspec.Struct, gc=False):
    """The envelope of every line."""

    timestamp: str | None = None
    type: str = ""
    payload: msgspec.Raw = NOTHING


class RawGit(msgspec.Struct, gc=False):
    branch: str | None = None


class RawMeta(msgspec.Struct, gc=False):
    """The first line of a file; a fork of older clients repeats its parent's line below it."""

    id: str | None = None
    session_id: str | None = None
    parent_thread_id: str | None = None
    cwd: str | None = None
    cli_version: str | None = None
    source: object = None
    thread_source: str | None = None
    git: RawGit | None = None


class RawTurn(msgspec.Struct, gc=False):
    """What applies to a turn."""

    cwd: str | None = None
    model: str | None = None


class RawPassthrough(msgspec.Struct, gc=False):
    turn_id: str | None = None
    content_item_kinds: list[str] | None = None


class RawItem(msgspec.Struct, gc=False):
    """What was sent to the model or came from it."""

    type: str = ""
    role: str | None = None
    id: str | None = None
    call_id: str | None = None
    name: str | None = None
    namespace: str | None = None
    status: str | None = None
    arguments: msgspec.Raw = NOTHING
    input: msgspec.Raw = NOTHING
    action: msgspec.Raw = NOTHING
    output: msgspec.Raw = NOTHING
    content: msgspec.Raw = NOTHING
    passthrough: RawPassthrough | None = msgspec.field(default=None, name="internal_chat_message_metadata_passthrough")

    @property
    def turn_id(self) -> str:
        return (self.passthrough.turn_id if self.passthrough else None) or ""


class RawCompleted(msgspec.Struct, gc=False):
    """What the client did, with its end: written by newer clients."""

    type: str = ""
    id: str | None = None
    status: str | None = None
    command: msgspec.Raw = NOTHING
    cwd: str | None = None
    source: str | None = None
    aggregated_output: msgspec.Raw = NOTHING
    exit_code: object = None
    changes: msgspec.Raw = NOTHING
    stdout: msgspec.Raw = NOTHING
    stderr: msgspec.Raw = NOTHING
    server: str | None = None
    tool: str | None = None
    arguments: msgspec.Raw = NOTHING
    result: msgspec.Raw = NOTHING
    error: msgspec.Raw = NOTHING
    content: msgspec.Raw = NOTHING


class RawEvent(msgspec.Struct, gc=False):
    """What the client showed on its screen."""

    type: str = ""
    turn_id: str | None = None
    item: RawCompleted | None = None
    message: msgspec.Raw = NOTHING
    thread_name: str | None = None


class RawToolResult(msgspec.Struct, rename="camel", gc=False):
    """The result of a server's tool."""

    content: msgspec.Raw = NOTHING


line_of = msgspec.json.Decoder(RawLine).decode
meta_of = msgspec.json.Decoder(RawMeta).decode
turn_of = msgspec.json.Decoder(RawTurn).decode
item_of = msgspec.json.Decoder(RawItem).decode
event_of = msgspec.json.Decoder(RawEvent).decode
tool_result_of = msgspec.json.Decoder(RawToolResult).decode
