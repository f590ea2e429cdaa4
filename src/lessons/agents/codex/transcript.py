"""Reads the lines of a Codex rollout as records with the events of the session (see FORMAT.md)."""

import os
import re
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple
from zlib import crc32

import msgspec

from lessons.agents.base import Line, Record
from lessons.agents.codex import calls
from lessons.agents.codex.wire import call_name
from lessons.agents.events import (
    RESULT_ENDS,
    Called,
    Compacted,
    ContextShown,
    Event,
    Prompted,
    Returned,
    Setting,
    Titled,
    Wrote,
)
from lessons.agents.names import plain_id, utc
from lessons.agents.object_lines import (
    NOTHING,
    PROMPT_LIMIT,
    TAGS_LIMIT,
    WORDS_LIMIT,
    Fields,
    ObjectLines,
    ends_of,
    start_of,
)
from lessons.system import open_regular

_CONTEXT_LIMIT = 4_096 + 8_192
_HOOK_CONTEXT = "hooks.additional_context"
_TAG = b"#lesson"


# The lines as types: only the fields we read; the decoder skips the rest in C. Raw parts are decoded only if needed.


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


class RawEvent(msgspec.Struct, gc=False):
    """What the client showed on its screen."""

    type: str = ""
    turn_id: str | None = None
    item: calls.RawCompleted | None = None
    message: msgspec.Raw = NOTHING
    thread_name: str | None = None


_line_of = msgspec.json.Decoder(RawLine).decode
_meta_of = msgspec.json.Decoder(RawMeta).decode
_turn_of = msgspec.json.Decoder(RawTurn).decode
_item_of = msgspec.json.Decoder(RawItem).decode
_event_of = msgspec.json.Decoder(RawEvent).decode


class ReadLine(NamedTuple):
    """The events of a line, the key that all its copies share, and the folder if the line has one."""

    events: list[Event]
    name: str = ""
    cwd: str = ""
    known: bool = True


Handler = Callable[[msgspec.Raw, bool], ReadLine]
_NOTHING = ReadLine([])


def _meta(payload: msgspec.Raw, all_texts: bool) -> ReadLine:
    meta = _meta_of(payload)
    own = plain_id(meta.id)
    by_machine = isinstance(meta.source, dict) or meta.thread_source not in (None, "user")
    session = plain_id(meta.session_id or (meta.parent_thread_id if by_machine else None)) or own
    setting = Setting(
        session_id=session,
        agent_id=own if by_machine and own != session else "",
        sidechain=by_machine,
        # Scripts call this; a person who does so types before the agent has done anything.
        typed=not by_machine and meta.source != "exec",
        cwd=meta.cwd or "",
        branch=(meta.git.branch if meta.git else None) or "",
        version=meta.cli_version or "",
    )
    return ReadLine([setting], f"meta {own}", setting.cwd)


def _turn(payload: msgspec.Raw, all_texts: bool) -> ReadLine:
    turn = _turn_of(payload)
    return ReadLine([Setting(cwd=turn.cwd or "", model=turn.model or "")], cwd=turn.cwd or "")


def _compacted(payload: msgspec.Raw, all_texts: bool) -> ReadLine:
    return ReadLine([Compacted(False)])


def _item(payload: msgspec.Raw, all_texts: bool) -> ReadLine:
    item = _item_of(payload)
    handler = _ITEMS.get(item.type)
    return handler(item, all_texts) if handler else ReadLine([], known=item.type in _SILENT_ITEMS)


def _message(item: RawItem, all_texts: bool) -> ReadLine:
    if item.role == "assistant":
        limit = TAGS_LIMIT if all_texts or _TAG in bytes(item.content).lower() else WORDS_LIMIT
        text = start_of(item.content, limit)
        name = plain_id(item.id)
        return ReadLine([Wrote(name, text)] if text else [], f"said {call_name(name, item.turn_id)}" if name else "")
    kinds = (item.passthrough.content_item_kinds if item.passthrough else None) or ()
    if _HOOK_CONTEXT in kinds:
        return ReadLine(
            [ContextShown("", "", "", start_of(item.content, _CONTEXT_LIMIT))], f"context {plain_id(item.id)}"
        )
    return _NOTHING  # another event has what a person typed, without additions of the client


def _call(item: RawItem, all_texts: bool) -> ReadLine:
    name = call_name(plain_id(item.call_id or item.id), item.turn_id)
    if not name:
        return _NOTHING
    given = calls.arguments_of(item.arguments if item.arguments is not NOTHING else item.action, item.input)
    tool = calls.named(item.name or item.type, item.namespace or "")
    process = calls.polled_process(tool, given)
    folder = calls.folder_of(given)
    tool, arguments = calls.canonical(tool, given)
    return ReadLine([Called(name, name, "", tool, arguments, task_id=process)], f"call {name}", folder)


def _result(item: RawItem, all_texts: bool) -> ReadLine:
    name = call_name(plain_id(item.call_id), item.turn_id)
    if not name:
        return _NOTHING
    ending = calls.ending_of(ends_of(item.output, RESULT_ENDS, RESULT_ENDS))
    return ReadLine([Returned(name, ending.verdict, ending.text, ending.process)], f"result {name}")


def _search(item: RawItem, all_texts: bool) -> ReadLine:
    """The service searches the web by itself: question and answer are in one item."""
    name = plain_id(item.id)
    if not name:
        return _NOTHING
    asked = Called(name, name, "", "WebSearch", calls.arguments_of(item.action, NOTHING))
    return ReadLine([asked, Returned(name, calls.status_verdict(item.status), "")], f"search {name}")


def _event(payload: msgspec.Raw, all_texts: bool) -> ReadLine:
    event = _event_of(payload)
    if event.item is not None:
        return _completed(event)
    if event.type == "user_message":
        text = start_of(event.message, PROMPT_LIMIT)
        return ReadLine([Prompted(text, "likely")] if text.strip() else [])
    if event.type == "thread_name_updated" and event.thread_name:
        return ReadLine([Titled(event.thread_name)])
    return ReadLine([], known=event.type in _KNOWN_EVENTS)


def _completed(event: RawEvent) -> ReadLine:
    item = event.item
    assert item is not None
    name = call_name(plain_id(item.id), event.turn_id or "")
    if item.type == "UserMessage":
        text = start_of(item.content, PROMPT_LIMIT)
        return ReadLine([Prompted(text, "sure")] if text.strip() else [], f"prompt {name}")
    found = calls.end_events(item, name) if name else []
    return ReadLine(
        found, f"end {name}" if found else "", (item.cwd or "").removeprefix("file://"), item.type in calls.KNOWN_ITEMS
    )


_ITEMS: dict[str, Callable[[RawItem, bool], ReadLine]] = {
    "message": _message,
    "function_call": _call,
    "custom_tool_call": _call,
    "local_shell_call": _call,
    "tool_search_call": _call,
    "web_search_call": _search,
    "function_call_output": _result,
    "custom_tool_call_output": _result,
    "tool_search_output": _result,
}
_SILENT_ITEMS = frozenset(
    "reasoning additional_tools agent_message compaction compaction_summary ghost_snapshot other".split()
)
_KNOWN_EVENTS = frozenset(
    "agent_message agent_reasoning agent_reasoning_raw_content token_count task_started task_complete turn_started"
    " turn_complete turn_aborted context_compacted thread_settings_applied exec_command_end patch_apply_end"
    " mcp_tool_call_end web_search_end entered_review_mode exited_review_mode thread_rolled_back undo_completed error"
    " warning item_completed thread_name_updated image_generation_end view_image_tool_call stream_error"
    " collab_agent_spawn_end collab_agent_interaction_end collab_waiting_end collab_close_end plan_update".split()
)
HANDLERS: dict[str, Handler] = {
    "session_meta": _meta,
    "turn_context": _turn,
    "compacted": _compacted,
    "response_item": _item,
    "event_msg": _event,
}
SILENT = frozenset(
    "world_state token_usage_record inter_agent_communication inter_agent_communication_metadata".split()
)


_SPOKEN = ("response_item", "compacted")
_NAME = re.compile(r"rollout-.*?([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\Z")
_SUBAGENT = re.compile(rb'"thread_source": ?"subagent"')
_FIRST_LINE = 1 << 16


class Rollouts(ObjectLines):
    """The reader of Codex."""

    suffix = (".jsonl", ".jsonl.zst")
    beginning = re.compile(r'\{"timestamp": ?"')
    decode = staticmethod(_line_of)

    def stem(self, path: str) -> str:
        """Returns the id of the thread in the file name, also for a compressed file."""
        name = os.path.basename(path).removesuffix(".zst").removesuffix(".jsonl")
        found = _NAME.match(name)
        return found[1] if found else name

    def conversations(self, project_root: str) -> Iterator[str]:
        """Yields those of all projects: the file name does not contain the project."""
        for root in self.roots():
            for folder, _, names in os.walk(root):
                paths = (os.path.join(folder, name) for name in names if name.endswith(self.suffix))
                yield from (path for path in paths if not _is_of_subagent(path))

    def recognises(self, blocks: Iterable[bytes]) -> bool | None:
        """Decides by the first line with an envelope of this client."""
        has_records = False
        for found in self.objects(blocks):
            if self.is_record(found) and (found["type"] in HANDLERS or found["type"] in SILENT):
                return True
            has_records = True
        return False if has_records else None

    def is_record(self, fields: Fields) -> bool:
        return isinstance(fields.get("type"), str) and isinstance(fields.get("payload"), dict) and "timestamp" in fields

    def record(self, decoded: RawLine, position: int) -> Record:
        kind = decoded.type
        handler = HANDLERS.get(kind)
        if handler is None:
            return Record(Line(position), kind[:60], kind in SILENT, 0, [])
        try:
            read = handler(decoded.payload, self._all_texts)
        except msgspec.ValidationError:  # a field of another type: a future client
            read = ReadLine([], known=False)
        line = Line(position, time=utc(decoded.timestamp or ""), cwd=read.cwd)
        return Record(line, kind, read.known, _key(decoded, read), read.events, kind in _SPOKEN and bool(read.events))


def _is_of_subagent(path: str) -> bool:
    """Decides by the first line; a compressed file is old, and counts as a conversation."""
    try:
        with open_regular(path) as file:
            return bool(_SUBAGENT.search(file.readline(_FIRST_LINE)))
    except OSError:
        return False


def _key(raw: RawLine, read: ReadLine) -> int:
    """Copies share the name of their content, or else the time and the text; 0 without events."""
    if not read.events:
        return 0
    name = read.name or f"{raw.type} {raw.timestamp}"
    checksum = 0 if read.name else crc32(raw.payload)
    return (crc32(name.encode("utf-8", "replace")) << 32 | crc32(name[::-1].encode("utf-8", "replace"), checksum)) - (
        1 << 63
    )


READER = Rollouts("codex")
FULL_READER = Rollouts("codex", all_texts=True)
