"""Turns a session of opencode into records; each part of a message is one record.

A part changes in place while it is created (pending, running, completed). Only final data is reported: a text that has
ended, the arguments of a running call, the result of an ended one.
"""

import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import NamedTuple

from lessons.agents.base import Line, Record
from lessons.agents.events import RESULT_ENDS, Called, Compacted, Event, Prompted, Returned, Titled, Verdict, Wrote
from lessons.agents.hook_event import unique_call_id
from lessons.agents.names import plain_id
from lessons.agents.object_lines import PROMPT_LIMIT, Fields, ends, inner, record_key, spoken, text
from lessons.match.call import ToolCall
from lessons.match.tools import canonical_name

# Our plugin's error to deny a call starts like this; a tool's own error never does.
DENIED = "Denied by a lesson of the user. "
# Fixed sentences of the client.
_REFUSED = (
    DENIED,
    "The user rejected permission to use this specific tool call",
    "The user has specified a rule which prevents you from using this specific tool call",
    "The user dismissed this question",
)
_ABORTED = "Tool execution aborted"
_STOPPED = re.compile(r"<(?:shell|bash)_metadata>\n[^\n]{0,40}[Uu]ser aborted the command")
_INVALID = "invalid"


def verdict_of(tool: str, state: dict[str, object]) -> tuple[Verdict, str]:
    """Returns the verdict, and the output."""
    if state.get("status") == "error":
        error = text(state, "error")
        if error.startswith(_REFUSED):
            return Verdict("refused", None), error
        return Verdict("interrupted" if error.startswith(_ABORTED) else "failed", None), error
    printed = text(state, "output")
    metadata = state.get("metadata")
    code = metadata.get("exit", 0) if isinstance(metadata, dict) else 0
    if isinstance(code, int) and not isinstance(code, bool) and code:
        return Verdict("failed", code), printed
    # A command without an exit code was ended by its time limit or by the user; a call of a missing tool is completed
    # by a tool of the client itself.
    if code is None or tool == _INVALID:
        return Verdict("interrupted" if _STOPPED.search(printed[-1_000:]) else "failed", None), printed
    is_shell = isinstance(metadata, dict) and "exit" in metadata
    return Verdict("ok", 0 if is_shell else None), printed


_PATCH_TOOLS = ("apply_patch", "patch")


def _with_path(tool: str, arguments: Mapping[str, object]) -> dict[str, object]:
    """Returns the arguments; for a patch with its first file as `path`."""
    given = dict(arguments)
    if tool in _PATCH_TOOLS and "path" not in given:
        texts = [value for value in given.values() if isinstance(value, str)]
        found = [path for each in texts for path in ToolCall("apply_patch", {"patch": each}).paths]
        return {**given, "path": found[0]} if found else given
    return given


# These have no events.
_SILENT = frozenset("reasoning step-start step-finish snapshot patch file agent subtask retry".split())
_ENDED = ("completed", "error")
_BEGUN = (*_ENDED, "running")


class Session(NamedTuple):
    """What all records of a session share; `root` is the session that a person started."""

    id: str
    root: str
    folder: str
    title: str
    version: str
    created: int

    @property
    def is_child(self) -> bool:
        return self.root != self.id


class Message(NamedTuple):
    """A message without its parts."""

    id: str
    fields: Fields


class Parts:
    """Builds records of one session; `all_texts` as for any reader."""

    def __init__(self, session: Session, all_texts: bool) -> None:
        self.session = session
        self.all_texts = all_texts
        self.number = 0
        self.known: dict[str, Callable[[Message, Fields, Line], list[Event]]] = {
            "text": self._text,
            "tool": self._tool,
            "compaction": lambda message, part, line: [Compacted(False)],
        }

    def title(self) -> Record:
        line = self._line(f"title {self.session.title}", self.session.created, self.session.folder)
        line.uuid = ""
        return Record(line, "session", True, 0, [Titled(self.session.title)] if self.session.title else [])

    def record(self, message: Message, identifier: str, part: Fields, created: int) -> Record | None:
        """Returns None while there is nothing to report yet."""
        self.number += 1
        kind = text(part, "type")
        line = self._line(plain_id(identifier), created, text(inner(message.fields, "path"), "cwd"))
        handler = self.known.get(kind)
        events = handler(message, part, line) if handler else []
        if handler and not events:
            return None
        is_spoken = kind in ("text", "tool")
        return Record(
            line, kind, kind in _SILENT or handler is not None, record_key(identifier, kind), events, is_spoken
        )

    def _line(self, uuid: str, created: int, folder: str) -> Line:
        session = self.session
        return Line(
            self.number,
            uuid,
            session.root,
            session.id if session.is_child else "",
            sidechain=session.is_child,
            time=moment(created),
            cwd=folder or session.folder,
            version=session.version,
        )

    def _text(self, message: Message, part: Fields, line: Line) -> list[Event]:
        words = text(part, "text")
        if text(message.fields, "role") == "user":
            is_typed = not (part.get("synthetic") or part.get("ignored") or self.session.is_child)
            return [Prompted(words[:PROMPT_LIMIT], "likely" if is_typed else "no")] if words else []
        if not is_number(inner(part, "time").get("end")) or message.fields.get("summary") is True:
            return []
        return [Wrote(message.id, spoken(words, self.all_texts))] if words else []

    def _tool(self, message: Message, part: Fields, line: Line) -> list[Event]:
        state, tool = inner(part, "state"), text(part, "tool")
        status, given = text(state, "status"), inner(state, "input")
        if status not in _BEGUN:
            return []
        times = inner(state, "time")
        line.time = moment(times.get("start")) or line.time
        name = plain_id(unique_call_id(text(part, "callID") or line.uuid, self.session.id))
        arguments: dict[object, object] = dict(_with_path(tool, given).items())
        events: list[Event] = [
            Called(name, message.id, text(message.fields, "modelID"), canonical_name(tool), arguments)
        ]
        if status in _ENDED:
            verdict, printed = verdict_of(tool, state)
            telling = self.all_texts or verdict.outcome != "ok" or canonical_name(tool) == "Bash"
            events.append(Returned(name, verdict, ends(printed, RESULT_ENDS) if telling else ""))
        return events


def moment(milliseconds: object) -> str:
    """Formats a time as other agents do; empty if invalid."""
    if not is_number(milliseconds):
        return ""
    try:
        found = datetime.fromtimestamp(float(str(milliseconds)) / 1000, UTC)
    except (ValueError, OverflowError, OSError):
        return ""
    return found.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
