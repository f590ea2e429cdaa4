"""Reads the lines of a Qwen Code transcript (see FORMAT.md)."""

import glob
import os
import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from lessons.agents.base import Line, Record
from lessons.agents.events import (
    DENIED_BY_HOOK,
    RESULT_ENDS,
    Called,
    Compacted,
    Event,
    Outcome,
    Prompted,
    Returned,
    Sureness,
    TaskEnded,
    Titled,
    Verdict,
    Wrote,
)
from lessons.agents.hook_event import unique_call_id
from lessons.agents.names import plain_id, utc
from lessons.agents.object_lines import (
    PROMPT_LIMIT,
    TITLE_LIMIT,
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
from lessons.agents.places import dashed_names
from lessons.agents.shell_frame import taken_apart

_DENIED = "execution_denied"
_REFUSED = (_DENIED, "permission_denied", "policy_denied")
# How the client words its own denials; a hook's reason is the whole text.
_BY_RULE = re.compile(
    r"Qwen Code requires permission |Permission (?:denied|to use)|[^\n]{0,300}\b(?:[Pp]lan|[Aa]uto)[- ]mode\b"
    r"|(?:Deferred )?[Tt]ool \"[^\"\n]{1,200}\" (?:is|was|changed)\b"
)
_REFUSED_BY_PERSON = "User did not allow tool call"
_TASK = re.compile(r"^task_id: ([\w-]{1,200})", re.MULTILINE)
_BACKGROUND = re.compile(r"^Background \w+ launched successfully\.")
_TASK_FIELDS = re.compile(r"<(task-id|tool-use-id|status|summary)>([^<]{0,2000})</\1>")
_ENDS: dict[str, Outcome] = {"completed": "ok", "failed": "failed", "error": "failed"}


class Ended(NamedTuple):
    """`task` is set if the call continues in the background."""

    verdict: Verdict
    printed: str
    task: str = ""


class TaskEnd(NamedTuple):
    """A notification about a background task."""

    task: str
    call: str
    verdict: Verdict
    summary: str


def outcome_of(response: Fields, result: Fields) -> Ended:
    """`response` is what the model got, `result` the client's record of it; subagents have little of the second."""
    refusal = text(response, "error")
    output_text = refusal or text(response, "output")
    if refusal and text(result, "errorType") in _REFUSED:
        is_hook = text(result, "errorType") == _DENIED and not _BY_RULE.match(refusal)
        return Ended(DENIED_BY_HOOK if is_hook else Verdict("refused", None), output_text)
    if text(result, "status") == "cancelled":
        return Ended(Verdict("refused" if _REFUSED_BY_PERSON in output_text else "interrupted", None), output_text)
    display = inner(result, "resultDisplay")
    printed, code = _shell(output_text, display)
    if refusal or code:
        return Ended(Verdict("failed", code), printed)
    task = _TASK.search(output_text) if _BACKGROUND.match(output_text) else None
    if task:
        return Ended(Verdict("unknown", None), output_text, task[1])
    return Ended(Verdict("ok", code), printed)


def _shell(output_text: str, display: Fields) -> tuple[str, int | None]:
    """Returns the output of a command without the frame around it, and its exit code; other text unchanged."""
    code = number(display, "exitCode")
    shell = taken_apart(output_text) if output_text.startswith("Command: ") else None
    if shell:
        return shell[0], shell[1] if code is None else code
    return text(display, "output") or output_text if text(display, "type") == "shell_result" else output_text, code


def task_end(notification: str) -> TaskEnd | None:
    """Returns None if it names no task."""
    fields = dict(_TASK_FIELDS.findall(notification[:8_192]))
    if not fields.get("task-id"):
        return None
    verdict = Verdict(_ENDS.get(fields.get("status", ""), "interrupted"), None)
    return TaskEnd(fields["task-id"], fields.get("tool-use-id", ""), verdict, fields.get("summary", ""))


# Text that a hook adds to a prompt is in a separate part.
_OF_A_HOOK = "<qwen:user-prompt-submit-context>"
_NOTIFICATION = "<task-notification>"
_BY_PERSON = "real_user"
_MID_TURN = "mid_turn_user_message"


class Transcripts(ObjectLines):
    """The reader of Qwen Code."""

    beginning = re.compile(r'\{"uuid": ?"')

    def conversations(self, project_root: str) -> Iterator[str]:
        """Selects by folder name: some may be of another project."""
        names = dashed_names(project_root)
        for root in self.roots():
            for path in glob.iglob(f"{glob.escape(root)}/*/chats/*.jsonl"):
                project = os.path.basename(os.path.dirname(os.path.dirname(path)))
                if not project_root or project.startswith(names):
                    yield path

    def is_record(self, fields: Fields) -> bool:
        """Claude Code's lines have the same envelope, but `content` in their messages."""
        message = fields.get("message")
        is_ours = not isinstance(message, dict) or "parts" in message
        return is_ours and bool(text(fields, "sessionId") and text(fields, "type")) and "parentUuid" in fields

    def record(self, fields: Fields, position: int) -> Record:
        kind = text(fields, "type")
        line = Line(
            position,
            plain_id(text(fields, "uuid")),
            plain_id(text(fields, "sessionId")),
            plain_id(text(fields, "agentId")),
            fields.get("isSidechain") is True,
            False,
            utc(text(fields, "timestamp")),
            text(fields, "cwd"),
            text(fields, "gitBranch"),
            text(fields, "version"),
        )
        handler = HANDLERS.get(kind)
        events = handler(fields, line, self._all_texts) if handler else []
        is_conversation = kind in ("user", "assistant", "tool_result")
        return Record(line, kind[:60], handler is not None, record_key(line.uuid, kind), events, is_conversation)


def _parts(fields: Fields) -> list[Fields]:
    return objects(inner(fields, "message"), "parts")


def _user(fields: Fields, line: Line, all_texts: bool) -> list[Event]:
    texts = [words for part in _parts(fields) if (words := text(part, "text")) and not words.startswith(_OF_A_HOOK)]
    words = "\n".join(texts)[:PROMPT_LIMIT]
    if words.startswith(_NOTIFICATION):
        return _ended(words, line)
    return [Prompted(words, _sureness(fields, line))] if words else []


def _sureness(fields: Fields, line: Line) -> Sureness:
    written_by, subtype = text(fields, "provenance"), text(fields, "subtype")
    if line.sidechain or subtype not in ("", _MID_TURN):
        return "no"
    if not written_by:
        return "likely"  # older clients do not record it
    return "sure" if written_by == _BY_PERSON else "no"


def _ended(words: str, line: Line) -> list[Event]:
    end = task_end(words)
    if end is None:
        return []
    name = plain_id(unique_call_id(end.call, line.session_id))
    return [TaskEnded(plain_id(end.task), name, end.verdict, end.summary)]


def _assistant(fields: Fields, line: Line, all_texts: bool) -> list[Event]:
    events: list[Event] = []
    for part in _parts(fields):
        words, call = text(part, "text"), inner(part, "functionCall")
        if words and part.get("thought") is not True:
            events.append(Wrote(line.uuid, spoken(words, all_texts)))
        if name := _call_id(call, line):
            arguments: dict[object, object] = dict(inner(call, "args").items())
            events.append(Called(name, line.uuid, text(fields, "model"), text(call, "name"), arguments))
    return events


def _call_id(call: Fields, line: Line) -> str:
    return plain_id(unique_call_id(text(call, "id"), line.session_id, line.agent_id))


def _result(fields: Fields, line: Line, all_texts: bool) -> list[Event]:
    events: list[Event] = []
    for part in _parts(fields):
        answered = inner(part, "functionResponse")
        if name := _call_id(answered, line):
            found = outcome_of(inner(answered, "response"), inner(fields, "toolCallResult"))
            events.append(Returned(name, found.verdict, ends(found.printed, RESULT_ENDS), plain_id(found.task)))
    return events


def _system(fields: Fields, line: Line, all_texts: bool) -> list[Event]:
    subtype, payload = text(fields, "subtype"), inner(fields, "systemPayload")
    if subtype == "chat_compression":
        return [Compacted(False)]
    if subtype == "custom_title" and (title := text(payload, "customTitle") or text(payload, "title")):
        return [Titled(title[:TITLE_LIMIT])]
    return []


HANDLERS: dict[str, Callable[[Fields, Line, bool], list[Event]]] = {
    "user": _user,
    "assistant": _assistant,
    "tool_result": _result,
    "system": _system,
}

READER = Transcripts("qwen-code")
FULL_READER = Transcripts("qwen-code", all_texts=True)
