"""Turns the messages of a Gemini CLI session into records; a message and its calls are one record."""

import re
from typing import NamedTuple

from lessons.agents.base import Line, Record
from lessons.agents.call_ids import unique_call_id
from lessons.agents.events import RESULT_ENDS, Called, Event, Prompted, Returned, Titled, Wrote
from lessons.agents.gemini_cli.outcome import ended
from lessons.agents.names import plain_id
from lessons.agents.object_lines import (
    PROMPT_LIMIT,
    TITLE_LIMIT,
    Fields,
    ends,
    inner,
    objects,
    record_key,
    spoken,
    text,
)
from lessons.agents.times import utc
from lessons.match.tools import canonical_name

# These have no events: messages of the client to the user.
_SILENT = ("info", "warning", "error")
_OF_THE_CLIENT = ("<session_context>", "This is the Gemini CLI.")
_HOOK_OPENS, _HOOK_CLOSES = "<hook_context>", "</hook_context>"
_FOLDER = re.compile(r"Workspace Directories:\*\*\n\s+- ([^\n]{1,1000})")


class Session(NamedTuple):
    """What all records of a session share."""

    id: str
    folder: str
    title: str
    started: str
    is_subagent: bool


def session_of(metadata: Fields, messages: list[Fields], folder: str) -> Session:
    """`folder` is the project folder recorded by the client; else it is in the client's first message."""
    named_folder = next((found[1] for message in messages[:3] if (found := _FOLDER.search(_words(message)))), "")
    return Session(
        plain_id(text(metadata, "sessionId")),
        folder or named_folder,
        text(metadata, "summary")[:TITLE_LIMIT],
        utc(text(metadata, "startTime")),
        text(metadata, "kind") == "subagent",
    )


def title_record(session: Session) -> Record:
    line = Line(0, "", session.id, sidechain=session.is_subagent, time=session.started, cwd=session.folder)
    return Record(line, "session", True, 0, [Titled(session.title)] if session.title else [])


def message_record(session: Session, message: Fields, position: int, all_texts: bool) -> Record:
    kind = text(message, "type")
    name = plain_id(text(message, "id"))
    line = Line(
        position,
        name,
        session.id,
        sidechain=session.is_subagent,
        time=utc(text(message, "timestamp")),
        cwd=session.folder,
    )
    events: list[Event] = []
    if kind == "user":
        events = _prompt(session, message)
    elif kind == "gemini":
        events = _answer(session, message, name, all_texts)
    is_spoken = kind in ("user", "gemini")
    return Record(line, kind[:60], is_spoken or kind in _SILENT, record_key(name, kind), events, is_spoken)


def _prompt(session: Session, message: Fields) -> list[Event]:
    """Results of calls are user messages too, but have no text."""
    words = _without_hooks(_words(message)).strip()
    if not words:
        return []
    is_typed = not session.is_subagent and not words.startswith(_OF_THE_CLIENT)
    return [Prompted(words[:PROMPT_LIMIT], "likely" if is_typed else "no")]


def _without_hooks(words: str) -> str:
    """Removes what hooks have added; without a pattern, which would search the whole text for each end."""
    kept = []
    position = 0
    while (start := words.find(_HOOK_OPENS, position)) >= 0 and (end := words.find(_HOOK_CLOSES, start)) >= 0:
        kept.append(words[position:start])
        position = end + len(_HOOK_CLOSES)
        while words[position : position + 1].isspace():
            position += 1
    return "".join([*kept, words[position:]])


def _answer(session: Session, message: Fields, name: str, all_texts: bool) -> list[Event]:
    events: list[Event] = []
    if words := _words(message):
        events.append(Wrote(name, spoken(words, all_texts)))
    for call in objects(message, "toolCalls"):
        events += _call(session, message, call, name, all_texts)
    return events


def _call(session: Session, message: Fields, call: Fields, message_id: str, all_texts: bool) -> list[Event]:
    given = plain_id(text(call, "id"))
    if not given:
        return []
    tool = canonical_name(text(call, "name"))
    identifier = unique_call_id(given, session.id)
    arguments: dict[object, object] = dict(inner(call, "args").items())
    called = Called(identifier, message_id, text(message, "model"), tool, arguments)
    end = ended(call)
    if end is None:
        return [called]
    verdict, printed = end
    telling = all_texts or verdict.outcome != "ok" or tool == "Bash"
    return [called, Returned(identifier, verdict, ends(printed, RESULT_ENDS) if telling else "")]


def _words(message: Fields) -> str:
    content = message.get("content")
    if isinstance(content, str):
        return content
    return "\n".join(words for part in objects(message, "content") if (words := text(part, "text")))
