"""Reads the lines of a Qwen Code transcript (see FORMAT.md)."""

import re
from collections.abc import Callable

from lessons.agents.base import RESULT_FOLDERS, Line, Record
from lessons.agents.call_ids import unique_call_id
from lessons.agents.events import RESULT_ENDS, Called, Compacted, Event, Prompted, Returned, TaskEnded, Titled, Wrote
from lessons.agents.names import plain_id
from lessons.agents.object_lines import (
    PROMPT_LIMIT,
    TITLE_LIMIT,
    Fields,
    ObjectLines,
    ends,
    inner,
    objects,
    record_key,
    spoken,
    text,
)
from lessons.agents.outcomes import Sureness
from lessons.agents.qwen_code import places
from lessons.agents.qwen_code.outcome import outcome_of, task_end
from lessons.agents.times import utc

# Text that a hook adds to a prompt is in a separate part.
_OF_A_HOOK = "<qwen:user-prompt-submit-context>"
_NOTIFICATION = "<task-notification>"
_BY_PERSON = "real_user"
_MID_TURN = "mid_turn_user_message"


class Transcripts(ObjectLines):
    """The reader of Qwen Code."""

    agent = "qwen-code"
    suffix = places.SUFFIX
    skipped_folders = RESULT_FOLDERS
    beginning = re.compile(r'\{"uuid": ?"')

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

READER = Transcripts(places)
FULL_READER = Transcripts(places, all_texts=True)
