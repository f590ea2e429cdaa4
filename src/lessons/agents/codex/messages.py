"""The events of a rollout line: one function for each relevant type of line."""

from collections.abc import Callable
from typing import NamedTuple

import msgspec

from lessons.agents.codex import calls, items
from lessons.agents.codex.call_names import call_name
from lessons.agents.codex.outcome import ending_of
from lessons.agents.codex.records import RawEvent, RawItem, event_of, item_of, meta_of, turn_of
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
from lessons.agents.long_text import NOTHING, ends_of, start_of
from lessons.agents.names import plain_id

PROMPT_LIMIT = 16_384
_TAGS_LIMIT = 1 << 20
_WORDS_LIMIT = 1_024 + 8_192  # more than is stored: a secret that is cut in two is not recognised
_CONTEXT_LIMIT = 4_096 + 8_192
_HOOK_CONTEXT = "hooks.additional_context"
_TAG = b"#lesson"


class ReadLine(NamedTuple):
    """The events of a line, the key that all its copies share, and the folder if the line has one."""

    events: list[Event]
    name: str = ""
    cwd: str = ""
    known: bool = True


Handler = Callable[[msgspec.Raw, bool], ReadLine]
_NOTHING = ReadLine([])


def _meta(payload: msgspec.Raw, all_texts: bool) -> ReadLine:
    meta = meta_of(payload)
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
    turn = turn_of(payload)
    return ReadLine([Setting(cwd=turn.cwd or "", model=turn.model or "")], cwd=turn.cwd or "")


def _compacted(payload: msgspec.Raw, all_texts: bool) -> ReadLine:
    return ReadLine([Compacted(False)])


def _item(payload: msgspec.Raw, all_texts: bool) -> ReadLine:
    item = item_of(payload)
    handler = _ITEMS.get(item.type)
    return handler(item, all_texts) if handler else ReadLine([], known=item.type in _SILENT_ITEMS)


def _message(item: RawItem, all_texts: bool) -> ReadLine:
    if item.role == "assistant":
        limit = _TAGS_LIMIT if all_texts or _TAG in bytes(item.content).lower() else _WORDS_LIMIT
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
    ending = ending_of(ends_of(item.output, RESULT_ENDS, RESULT_ENDS))
    return ReadLine([Returned(name, ending.verdict, ending.text, ending.process)], f"result {name}")


def _search(item: RawItem, all_texts: bool) -> ReadLine:
    """The service searches the web by itself: question and answer are in one item."""
    name = plain_id(item.id)
    if not name:
        return _NOTHING
    asked = Called(name, name, "", "WebSearch", calls.arguments_of(item.action, NOTHING))
    return ReadLine([asked, Returned(name, items.of_status(item.status), "")], f"search {name}")


def _event(payload: msgspec.Raw, all_texts: bool) -> ReadLine:
    event = event_of(payload)
    if event.item is not None:
        return _completed(event)
    if event.type == "user_message":
        text = start_of(event.message, PROMPT_LIMIT)
        return ReadLine([Prompted(text, "likely")] if text.strip() else [])
    if event.type == "thread_name_updated" and event.thread_name:
        return ReadLine([Titled(event.thread_name)])
    name = call_name(plain_id(event.call_id), event.turn_id or "")
    found = items.old_end(event, name) if name else None
    return ReadLine([found] if found else [], known=event.type in _KNOWN_EVENTS)


def _completed(event: RawEvent) -> ReadLine:
    item = event.item
    assert item is not None
    name = call_name(plain_id(item.id), event.turn_id or "")
    if item.type == "UserMessage":
        text = start_of(item.content, PROMPT_LIMIT)
        return ReadLine([Prompted(text, "sure")] if text.strip() else [], f"prompt {name}")
    found = items.told_by(item, name) if name else []
    return ReadLine(found, f"end {name}" if found else "", items.folder_of(item), item.type in items.KNOWN)


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
