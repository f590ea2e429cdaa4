"""Copilot CLI's hook payloads as events, and answers in the flat form that all of its events accept."""

from lessons.agents.hook_event import (
    AFTER_CALL,
    AFTER_FAILURE,
    BEFORE_CALL,
    BEFORE_COMPACTION,
    SESSION_END,
    SESSION_START,
    TURN_END,
    call_of,
    event_of,
    start_session,
    text,
)
from lessons.agents.table import AGENTS
from lessons.store.json_text import encode
from lessons.system import environment

TYPE_CHECKING = False
if TYPE_CHECKING:
    from lessons.agents.hook_event import Answer, HookEvent

AGENT = "copilot-cli"
# The client ignores text at these events.
_SILENT = (BEFORE_COMPACTION, TURN_END, SESSION_END)
# The last line about a shell command: `<shellId: 3 completed with exit code 1>`, or `<exited with exit code 1>`.
_ENDS = ("completed with exit code ", "exited with exit code ")
_LONGEST_LINE = 200


def parse(name: str, payload: dict[str, object]) -> "HookEvent | None":
    """Returns the event; a shell call with a non-zero exit code is a failure, even if the client reports success."""
    kind = AGENTS[AGENT].kind_of(name)
    if kind is None:
        return None
    event = event_of(AGENT, kind, name, payload)
    _place(event, payload)
    arguments = payload.get("tool_input")
    if kind == SESSION_START:
        start_session(event, payload)
    elif kind in (BEFORE_CALL, AFTER_CALL, AFTER_FAILURE):
        if kind != BEFORE_CALL:
            event.command = text(arguments, "command")
        if kind == AFTER_CALL:
            _take_result(event, payload)
        elif kind == AFTER_FAILURE:
            event.error = text(payload, "error")
            if not event.error:
                return None
        event.call = call_of(event, text(payload, "tool_name"), arguments, error=event.error or None)
    return event


def _place(event: "HookEvent", payload: dict[str, object]) -> None:
    """Some events have camel-case names; a subagent has its own session id and names its parent."""
    parent = text(payload, "parent_agent_id")
    event.session = parent if event.agent_id and parent else text(payload, "session_id", "sessionId")
    event.transcript = text(payload, "transcript_path", "transcriptPath") or _transcript_of(event.session)


def _transcript_of(session: str) -> str:
    """Returns the transcript, which most payloads do not name; empty for an id that could lead out of the folder."""
    if not session.replace("-", "").isalnum():
        return ""
    home = environment("COPILOT_HOME") or environment("HOME") + "/.copilot"
    return f"{home}/session-state/{session}/events.jsonl"


def _take_result(event: "HookEvent", payload: dict[str, object]) -> None:
    """A shell command with a non-zero exit code has failed, with its output as the error."""
    printed, code = split_exit(text(payload.get("tool_result"), "text_result_for_llm"))
    event.worked = code == 0
    if code:
        event.kind, event.error = AFTER_FAILURE, f"Exit code {code}\n{printed}"


def split_exit(printed: str) -> tuple[str, int | None]:
    """Returns the output without its last line, and the exit code in that; the unchanged text and None without one."""
    words = printed.rstrip()
    start = words.rfind("\n") + 1
    line = words[start:]
    if not (line.startswith("<") and line.endswith(">")) or len(line) > _LONGEST_LINE:
        return printed, None
    for end in _ENDS:
        digits = line.rpartition(end)[2][:-1] if end in line else ""
        if digits.removeprefix("-").isdecimal() and digits.isascii():
            return words[:start].rstrip("\n"), int(digits)
    return printed, None


def render(event: "HookEvent", answer: "Answer") -> str:
    """Returns one line of JSON, which never grants a permission. The client shows the user no message of a hook."""
    if event.kind in _SILENT:
        return ""
    if answer.deny is not None:
        return encode({"permissionDecision": "deny", "permissionDecisionReason": answer.deny})
    return encode({"additionalContext": answer.context}) if answer.context else ""


def example(word: str, session: str) -> dict[str, object]:
    return {"tool_result": {"text_result_for_llm": f"{word}\n<shellId: 0 completed with exit code 1>"}}
