"""What happened in a line of a transcript: one function for each type of line that tells something."""

import re
from collections.abc import Callable
from functools import partial

import msgspec

from lessons.agents.claude_code.human import ACCEPTED_PLAN, human_text, request_text, sureness
from lessons.agents.claude_code.outcome import ResultDetails, TaskEnd, hook_reason, started_task, task_ends, verdict
from lessons.agents.claude_code.records import RawBlock, RawLine, usage_of
from lessons.agents.events import (
    RESULT_ENDS,
    Answered,
    Called,
    Compacted,
    ContextShown,
    Event,
    HooksRan,
    Interrupted,
    Prompted,
    Queued,
    QueueEmptied,
    Repeated,
    Returned,
    TaskEnded,
    Titled,
    Wrote,
)
from lessons.agents.long_text import NOTHING, anything_of, arguments_of, ends_of, start_of
from lessons.agents.names import plain_id
from lessons.agents.outcomes import Verdict

PROMPT_LIMIT = 16_384
_TAGS_LIMIT = 1 << 20
_WORDS_LIMIT = 1_024 + 8_192  # more than is kept, as below
_EMPTY_TEXT = 2  # bytes: `""`
_CONTEXT_LIMIT = 4_096 + 8_192  # more than is kept: what a cut breaks cannot be told for a secret any more
_OLD_MARKER = "This session is being continued from a previous conversation that ran out of context"
_INTERRUPTED = "[Request interrupted by user"
_NOTIFICATION = "<task-notification>"
_SCRIPTED = "sdk-cli"
_COMMAND = re.compile(r"/[A-Za-z][\w:-]*(?=\s|$)")  # a line for the client, or the name of a skill; not a path
_MOST_TOKENS = 1 << 40
_MOST_HOOKS = 100
_HOOKS_LIMIT = 1 << 16
_TAG = re.compile(rb"#(?i:lesson)")


def _assistant(raw: RawLine, all_texts: bool = False) -> list[Event]:
    message = raw.message
    if message is None or not isinstance(message.content, list):
        return []
    events: list[Event] = []
    for block in message.content:
        if block.type == "tool_use" and (tool_use_id := plain_id(block.id)):
            message_id, model, tool = plain_id(message.id), message.model or "", block.name or ""
            events.append(Called(tool_use_id, message_id, model, tool, arguments_of(block.input), block.input))
        elif block.type == "text" and len(memoryview(block.text)) > _EMPTY_TEXT:
            limit = _TAGS_LIMIT if all_texts or _TAG.search(block.text) else _WORDS_LIMIT
            events.append(Wrote(plain_id(message.id), start_of(block.text, limit)))
    return events


def answer_of(raw: RawLine) -> Answered | None:
    """What the message of an `assistant` line has used so far; None if unknown."""
    message = raw.message
    if message is None or message.usage is NOTHING or not (message_id := plain_id(message.id)):
        return None
    try:
        used = usage_of(message.usage)
    except msgspec.MsgspecError:
        return None
    given, made = used.input_tokens or 0, used.output_tokens or 0
    read, written = used.cache_read_input_tokens or 0, used.cache_creation_input_tokens or 0
    if min(given, made, read, written) < 0 or max(given, made, read, written) > _MOST_TOKENS:
        given, made, read, written = (max(0, min(number, _MOST_TOKENS)) for number in (given, made, read, written))
    if not (given or made or read or written):
        return None  # written by the client itself
    request_id, model, stop_reason = plain_id(raw.request_id), message.model or "", message.stop_reason or ""
    return Answered(message_id, request_id, model, stop_reason, given, made, read, written)


def _user(raw: RawLine, all_texts: bool = False) -> list[Event]:
    content = raw.message.content if raw.message else None
    if not isinstance(content, list):
        return _typed(raw, content[:PROMPT_LIMIT], all_texts) if content else []
    events: list[Event] = []
    texts = []
    for block in content:
        if block.type == "tool_result" and (tool_use_id := plain_id(block.tool_use_id)):
            events += _result(raw, block, tool_use_id, all_texts)
        elif block.type == "text":
            texts.append(start_of(block.text, PROMPT_LIMIT))
    return events + _typed(raw, "\n".join(texts), all_texts) if texts else events


def _result(raw: RawLine, block: RawBlock, tool_use_id: str, all_texts: bool) -> list[Event]:
    details = raw.tool_use_result
    if not isinstance(details, ResultDetails):
        details = None
    # What a shell printed is looked at although it succeeded: a pipe may hide that it did not.
    telling = all_texts or block.is_error or details is None or details.is_shell
    text = ends_of(block.content, RESULT_ENDS, RESULT_ENDS) if telling else ""
    found = verdict(block.is_error, text, details, raw.tool_denial_kind, _permission(raw.permission_decision))
    if found.by_hook:
        text = hook_reason(text)
    task = details.task_id if details else started_task(text)
    returned = Returned(tool_use_id, found, text, plain_id(task))
    if details is None or not details.may_end_tasks:
        return [returned]
    if details.stopped_task:
        return [returned, TaskEnded(plain_id(details.stopped_task), "", Verdict("interrupted", None), "")]
    return [returned, *_events_of(details.told_end)]


def _permission(decision: msgspec.Raw) -> dict[str, object] | None:
    if decision is NOTHING or len(memoryview(decision)) > PROMPT_LIMIT:
        return None
    found = anything_of(decision)
    return found if isinstance(found, dict) else None


def _typed(raw: RawLine, text: str, all_texts: bool = False) -> list[Event]:
    """What a user record contains: a summary, an interruption, the end of a task, or a prompt."""
    if raw.is_compact_summary or (text.startswith(_OLD_MARKER) and _is_old(raw)):
        return [Compacted(True)]
    if text.startswith(_NOTIFICATION):
        return _ended(text)
    if all_texts and text.startswith(ACCEPTED_PLAN):
        return [Prompted(text, "no")]
    words = request_text(text) if all_texts else text
    sure = sureness(
        words,
        is_meta=bool(raw.is_meta),
        is_compact_summary=False,
        is_sidechain=bool(raw.is_sidechain),
        prompt_source=raw.prompt_source,
        origin_kind=raw.origin.kind if raw.origin else None,
        # A request is one for whoever carries on with it, though a script may have written it.
        entrypoint=None if all_texts else raw.entrypoint,
        visible_in_transcript_only=bool(raw.is_visible_in_transcript_only),
    )
    words = "" if sure == "no" else words if all_texts else human_text(text)
    events: list[Event] = [Prompted(words, sure)] if words else _unheard(raw, text)
    if raw.interrupted_message_id and text.startswith(_INTERRUPTED):
        events.append(Interrupted(plain_id(raw.interrupted_message_id)))
    return events


def _unheard(raw: RawLine, text: str) -> list[Event]:
    """A script's words in the person's place."""
    words = human_text(text) if raw.entrypoint == _SCRIPTED and not raw.is_meta and not raw.is_sidechain else ""
    return [Repeated(words)] if words else []


def _is_old(raw: RawLine) -> bool:
    """Before version 2 only its words marked a summary; today a person may quote them."""
    return not raw.is_meta and (raw.version or "0").partition(".")[0] in ("0", "1")


def _ended(text: str) -> list[Event]:
    return [event for end in task_ends(text) for event in _events_of(end)]


def _events_of(end: TaskEnd | None) -> list[Event]:
    if end is None:
        return []
    return [TaskEnded(plain_id(end.task_id), plain_id(end.tool_use_id), end.verdict, end.summary)]


def _system(raw: RawLine) -> list[Event]:
    if raw.subtype == "compact_boundary":
        return [Compacted(False)]
    return _hooks_ran(raw) if raw.subtype == "stop_hook_summary" else []


def _hooks_ran(raw: RawLine) -> list[Event]:
    count = _short(raw.hook_count)
    infos = _list(raw.hook_infos)
    commands = [info["command"] for info in infos if isinstance(info, dict) and isinstance(info.get("command"), str)]
    errors = [error for error in _list(raw.hook_errors) if isinstance(error, str)]
    hooks = count if isinstance(count, int) and 0 <= count <= _MOST_HOOKS else len(infos)
    return [HooksRan(hooks, errors, commands, bool(raw.prevented_continuation))] if hooks or errors else []


def _list(value: msgspec.Raw) -> list[object]:
    found = _short(value)
    return found[:_MOST_HOOKS] if isinstance(found, list) else []


def _short(value: msgspec.Raw) -> object:
    """None of what nobody writes there."""
    return anything_of(value) if len(memoryview(value)) <= _HOOKS_LIMIT else None


def _queue(raw: RawLine) -> list[Event]:
    if raw.operation == "popAll":
        return [QueueEmptied()]
    text = start_of(raw.content, PROMPT_LIMIT)
    if text.startswith(_NOTIFICATION):
        return _ended(text)
    words = human_text(text) if raw.operation == "enqueue" else ""
    return [Queued(words)] if words and not _COMMAND.match(words) else []


def _attachment(raw: RawLine, all_texts: bool = False) -> list[Event]:
    attachment = raw.attachment
    if attachment is None:
        return []
    if attachment.type == "hook_additional_context":
        tool_use_id = plain_id(attachment.toolUseID)
        text = _lines(anything_of(attachment.content))[:_CONTEXT_LIMIT]
        return [ContextShown(tool_use_id, attachment.hookEvent or "", attachment.hookName or "", text)]
    if attachment.type == "queued_command":
        return _typed(raw, start_of(attachment.prompt, PROMPT_LIMIT), all_texts)
    return []


def _lines(content: object) -> str:
    parts = content if isinstance(content, list) else [content]
    return "\n".join(part for part in parts if isinstance(part, str))


def _title(raw: RawLine) -> list[Event]:
    title = raw.custom_title or raw.ai_title or raw.summary
    return [Titled(title)] if title else []


Handlers = dict[str, Callable[[RawLine], list[Event]]]
HANDLERS: Handlers = {
    "assistant": _assistant,
    "user": _user,
    "system": _system,
    "attachment": _attachment,
    "queue-operation": _queue,
    "custom-title": _title,
    "ai-title": _title,
    "summary": _title,
}
# The same for a reader that wants every text, not only what mining asks for.
ALL_TEXTS: Handlers = {
    **HANDLERS,
    "assistant": partial(_assistant, all_texts=True),
    "user": partial(_user, all_texts=True),
    "attachment": partial(_attachment, all_texts=True),
}
