"""Reads the `events.jsonl` of a session of Copilot CLI (see FORMAT.md)."""

import glob
import os
import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

import msgspec

from lessons.agents.base import Line, Record
from lessons.agents.copilot_cli.wire import split_exit
from lessons.agents.events import (
    DENIED_BY_HOOK,
    RESULT_ENDS,
    Called,
    Compacted,
    ContextShown,
    Event,
    Outcome,
    Prompted,
    Returned,
    Setting,
    TaskEnded,
    Titled,
    Verdict,
    Wrote,
)
from lessons.agents.hook_event import unique_call_id
from lessons.agents.names import plain_id, utc
from lessons.agents.object_lines import (
    PROMPT_LIMIT,
    RESULT_FOLDERS,
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

# A hook's text follows the result; the tool's own output comes before.
_GUIDANCE = re.compile(r'\n\nTool "[^"\n]{1,200}" (?:succeeded|failed)\. Additional guidance from (post\w+) hooks:\n')
_HOOK_EVENTS = {"postToolUse": "PostToolUse", "postToolUseFailure": "PostToolUseFailure"}
_OUTCOMES: dict[str, Outcome] = {
    "denied": "refused",
    "rejected": "refused",
    "cancelled": "cancelled",
    "canceled": "cancelled",
    "aborted": "interrupted",
    "interrupted": "interrupted",
}
# After a colon comes the reason; a hook that did not work is named instead.
_BY_HOOK = "Denied by preToolUse hook"
_STILL_RUNNING = re.compile(r"<command with shellId: (\w{1,40}) is still running\b[^>]*>\s*\Z")
_STARTED = re.compile(r"<command started in [\w ]*background with shellId: (\w{1,40})>\s*\Z")
_READ_TO_END = re.compile(r"<shellId: (\w{1,40}) (?:completed|exited) with exit code -?\d+>\s*\Z")
_STOPPED = re.compile(r"<command with id: (\w{1,40}) stopped>\s*\Z")
_ENDING = 400


class Ended(NamedTuple):
    """`task` is set if a shell continues, `ended` if this call reported the end of an earlier one."""

    verdict: Verdict
    printed: str
    task: str = ""
    ended: str = ""
    end: Verdict | None = None
    event: str = ""
    guidance: str = ""


def outcome_of(data: Fields) -> Ended:
    failure = inner(data, "error")
    printed, event, guidance = _without_guidance(text(inner(data, "result"), "content") or text(failure, "message"))
    if data.get("success") is False:
        outcome = _OUTCOMES.get(text(failure, "code"), "failed")
        if outcome == "refused" and printed.startswith(_BY_HOOK):
            reason = printed.removeprefix(f"{_BY_HOOK}: ")
            return Ended(DENIED_BY_HOOK, reason, event=event, guidance=guidance)
        return Ended(Verdict(outcome, None), printed or text(data, "error"), event=event, guidance=guidance)
    telemetry = inner(data, "toolTelemetry")
    properties = inner(telemetry, "properties")
    # The call reads, writes to or stops a shell that an earlier call started.
    if "shell_operation" in properties or text(properties, "shell_status") == "stopped":
        return _asked_after(printed)._replace(event=event, guidance=guidance)
    output, printed_code = split_exit(printed)
    code = number(inner(data, "shellExecution"), "exitCode")
    if code is None:
        code = printed_code if printed_code is not None else number(inner(telemetry, "metrics"), "exit_code")
    ending = printed[-_ENDING:]
    if code is None and (found := _STILL_RUNNING.search(ending) or _STARTED.search(ending)):
        return Ended(Verdict("unknown", None), printed, task_of(found[1]), event=event, guidance=guidance)
    return Ended(Verdict("failed" if code else "ok", code), output, event=event, guidance=guidance)


def _without_guidance(printed: str) -> tuple[str, str, str]:
    found = _GUIDANCE.search(printed)
    if found is None:
        return printed, "", ""
    return printed[: found.start()], _HOOK_EVENTS.get(found[1], found[1]), printed[found.end() :]


def _asked_after(printed: str) -> Ended:
    ending = printed[-_ENDING:]
    stopped = _STOPPED.search(ending)
    if stopped:
        return Ended(Verdict("ok", None), printed, ended=task_of(stopped[1]), end=Verdict("interrupted", None))
    over = _READ_TO_END.search(ending)
    if over is None:
        return Ended(Verdict("ok", None), printed)
    output, code = split_exit(printed)
    end = Verdict("failed" if code else "ok", code)
    return Ended(Verdict("ok", None), output, ended=task_of(over[1]), end=end)


def task_of(shell_id: str) -> str:
    """Returns a task id; shells are numbered in each session."""
    return f"shell-{shell_id}"


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

    # Files of the work itself, and copies of them.
    skipped_folders = frozenset(("files", "checkpoints", "rewind-snapshots", "research")) | RESULT_FOLDERS
    beginning = re.compile(r'\{"type": ?"[a-z_]+\.?[a-z_]*", ?"data": ?\{')

    def stem(self, path: str) -> str:
        """Returns the session's folder name; older clients used it as file name."""
        folder, name = os.path.split(path)
        return os.path.basename(folder) if name == "events.jsonl" else super().stem(path)

    def conversations(self, project_root: str) -> Iterator[str]:
        """Yields all of them: their names do not contain the project. Subagents are in the file of their session."""
        for root in self.roots():
            for pattern in ("*/events.jsonl", "*.jsonl"):
                yield from glob.iglob(f"{glob.escape(root)}/{pattern}")

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

READER = Transcripts("copilot-cli")
FULL_READER = Transcripts("copilot-cli", all_texts=True)
