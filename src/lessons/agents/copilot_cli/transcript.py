"""Reads the `events.jsonl` of a session of Copilot CLI (see FORMAT.md)."""

import re
from collections.abc import Callable

import msgspec

from lessons.agents.base import RESULT_FOLDERS, Line, Record
from lessons.agents.call_ids import unique_call_id
from lessons.agents.copilot_cli import places
from lessons.agents.copilot_cli.outcome import outcome_of, task_of
from lessons.agents.events import (
    RESULT_ENDS,
    Called,
    Compacted,
    ContextShown,
    Event,
    Prompted,
    Returned,
    Setting,
    TaskEnded,
    Titled,
    Wrote,
)
from lessons.agents.names import plain_id
from lessons.agents.object_lines import (
    PROMPT_LIMIT,
    TITLE_LIMIT,
    WORDS_LIMIT,
    Fields,
    ObjectLines,
    ends,
    inner,
    number,
    objects,
    record_key,
    spoken,
    text,
)
from lessons.agents.outcomes import Verdict
from lessons.agents.times import utc

# These have no relevant events, or another line has them too.
SILENT = frozenset(
    "session.shutdown session.usage_record session.usage_info session.model_change"
    " session.mode_changed session.info session.warning session.error session.permissions_changed session.handoff"
    " session.idle session.truncation session.compaction_start session.task_complete"
    " session.plan_changed session.workspace_file_changed session.snapshot_rewind session.background_tasks_changed"
    " assistant.turn_start assistant.turn_end assistant.intent assistant.reasoning assistant.usage"
    " tool.execution_start tool.execution_partial_result tool.execution_progress tool.user_requested"
    " hook.start hook.end permission.requested permission.completed system.message subagent.started"
    " subagent.configured subagent.selected subagent.completed subagent.failed skill.invoked abort"
    " user_input.requested user_input.completed elicitation.requested elicitation.completed".split()
)
_arguments_of = msgspec.json.Decoder(dict[object, object]).decode


class Transcripts(ObjectLines):
    """The reader of Copilot CLI."""

    agent = "copilot-cli"
    suffix = places.SUFFIX
    skipped_folders = places.SKIPPED_FOLDERS | RESULT_FOLDERS
    beginning = re.compile(r'\{"type": ?"[a-z_]+\.?[a-z_]*", ?"data": ?\{')

    def is_record(self, fields: Fields) -> bool:
        return isinstance(fields.get("data"), dict) and "parentId" in fields and bool(text(fields, "type"))

    def record(self, fields: Fields, position: int) -> Record:
        kind, data = text(fields, "type"), inner(fields, "data")
        agent_id = plain_id(text(fields, "agentId"))
        context = data if kind == "session.context_changed" else inner(data, "context")
        line = Line(
            position,
            plain_id(text(fields, "id")),
            plain_id(text(data, "sessionId")) if kind == "session.start" else "",
            agent_id,
            bool(agent_id),
            False,
            utc(text(fields, "timestamp")),
            text(context, "cwd"),
            text(context, "branch"),
            text(data, "copilotVersion"),
        )
        handler = _HANDLERS.get(kind)
        events = handler(data, line, self._all_texts) if handler else []
        known = handler is not None or kind in SILENT
        return Record(line, kind[:60], known, record_key(line.uuid, kind), events, kind in _CONVERSATION)


def _placed(data: Fields, line: Line, all_texts: bool) -> list[Event]:
    """No other line names the session or the folder."""
    setting = Setting(line.session_id, cwd=line.cwd, branch=line.branch, version=line.version)
    return [setting] if setting != Setting() else []


def _user(data: Fields, line: Line, all_texts: bool) -> list[Event]:
    """`source` names another author: an agent writing to its subagent, a skill, a hook."""
    words = text(data, "content")[:PROMPT_LIMIT]
    by_machine = line.sidechain or text(data, "source") not in ("", "user")
    return [Prompted(words, "no" if by_machine else "likely")] if words else []


def _assistant(data: Fields, line: Line, all_texts: bool) -> list[Event]:
    message_id, model, words = plain_id(text(data, "messageId")), text(data, "model"), text(data, "content")
    events: list[Event] = []
    if words:
        events.append(Wrote(message_id, spoken(words, all_texts)))
    for request in objects(data, "toolRequests"):
        if name := _call_id(request, data):
            events.append(Called(name, message_id, model, text(request, "name"), _arguments(request)))
    return events


def _call_id(holder: Fields, data: Fields) -> str:
    """Uses the interaction id, which request and result share and which belongs to one session."""
    return plain_id(unique_call_id(text(holder, "toolCallId"), text(data, "interactionId")))


def _arguments(request: Fields) -> dict[object, object]:
    """Returns the arguments; for a tool with one free text, such as a patch, that text."""
    given = request.get("arguments")
    if isinstance(given, dict):
        return dict(given)
    if not isinstance(given, str):
        return {}
    try:
        return _arguments_of(given)
    except msgspec.MsgspecError:
        return {"input": given}


def _complete(data: Fields, line: Line, all_texts: bool) -> list[Event]:
    name = _call_id(data, data)
    if not name:
        return []
    found = outcome_of(data)
    events: list[Event] = [Returned(name, found.verdict, ends(found.printed, RESULT_ENDS), found.task)]
    if found.end is not None:
        events.append(TaskEnded(plain_id(found.ended), "", found.end, ends(found.printed, RESULT_ENDS)))
    if found.guidance:
        events.append(ContextShown(name, found.event, "", found.guidance[:WORDS_LIMIT]))
    return events


def _notified(data: Fields, line: Line, all_texts: bool) -> list[Event]:
    kind = inner(data, "kind")
    if text(kind, "type") != "shell_completed" or not text(kind, "shellId"):
        return []
    code = number(kind, "exitCode")
    verdict = Verdict("unknown" if code is None else "failed" if code else "ok", code)
    return [TaskEnded(plain_id(task_of(text(kind, "shellId"))), "", verdict, "")]


def _compacted(data: Fields, line: Line, all_texts: bool) -> list[Event]:
    return [] if data.get("success") is False or line.sidechain else [Compacted(False)]


def _titled(data: Fields, line: Line, all_texts: bool) -> list[Event]:
    title = text(data, "title")[:TITLE_LIMIT]
    return [Titled(title)] if title else []


_HANDLERS: dict[str, Callable[[Fields, Line, bool], list[Event]]] = {
    "session.start": _placed,
    "session.resume": _placed,
    "session.context_changed": _placed,
    "user.message": _user,
    "assistant.message": _assistant,
    "tool.execution_complete": _complete,
    "system.notification": _notified,
    "session.compaction_complete": _compacted,
    "session.title_changed": _titled,
}
HANDLED = frozenset(_HANDLERS)
_CONVERSATION = ("user.message", "assistant.message")

READER = Transcripts(places)
FULL_READER = Transcripts(places, all_texts=True)
