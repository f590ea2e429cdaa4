"""Gemini CLI's hook payloads as events, and answers in the form that the client accepts."""

from lessons.agents.gemini_cli.shell_text import taken_apart
from lessons.agents.hook_event import (
    AFTER_CALL,
    AFTER_FAILURE,
    BEFORE_CALL,
    SESSION_END,
    SESSION_START,
    TURN_END,
    HookEvent,
)
from lessons.agents.hook_fields import call_of, command_of, start_session, text
from lessons.store.json_text import encode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from lessons.agents.hook_event import Answer

AGENT = "gemini-cli"
# Not PreCompress: the client sends it before every request to the model, whether it compresses anything or not.
EVENTS = {
    "BeforeTool": BEFORE_CALL,
    "AfterTool": AFTER_CALL,
    "SessionStart": SESSION_START,
    "AfterAgent": TURN_END,
    "SessionEnd": SESSION_END,
}
# Text added before a call never reaches the model.
HINTS_AT = AFTER_CALL
_SOURCES = ("resume", "clear")


def parse(name: str, payload: "dict[str, object]") -> HookEvent | None:
    """Returns the event; None for an unknown one."""
    kind = EVENTS.get(name)
    if kind is None:
        return None
    event = HookEvent(
        kind,
        name,
        agent=AGENT,
        session=text(payload, "session_id"),
        cwd=text(payload, "cwd"),
        transcript=text(payload, "transcript_path"),
    )
    if kind == SESSION_START:
        start_session(event, payload, _SOURCES)
    elif kind == SESSION_END:
        event.reason = text(payload, "reason")
    elif kind in (BEFORE_CALL, AFTER_CALL):
        _of_a_call(event, payload)
    return event


def _of_a_call(event: HookEvent, payload: "dict[str, object]") -> None:
    """The client sends no id; the result shows whether a call failed."""
    tool, arguments = text(payload, "tool_name"), payload.get("tool_input")
    response = payload.get("tool_response")
    if event.kind == AFTER_CALL:
        event.command = command_of(arguments)
        if isinstance(response, dict):
            event.error = _error(response)
        if event.error:
            event.kind = AFTER_FAILURE
    event.call = call_of(event, tool, arguments, error=event.error or None)


def _error(response: "dict[str, object]") -> str:
    """Returns the message of a failed call; empty if it succeeded."""
    error = response.get("error")
    if isinstance(error, dict):
        return text(error, "message") or "The call failed."
    content = response.get("llmContent")
    shell = taken_apart(content) if isinstance(content, str) else None
    if shell is None or shell[1] == 0:
        return ""
    return shell[0] or f"Exit Code: {shell[1]}"


def render(event: HookEvent, answer: "Answer") -> str:
    """Returns one line of JSON, which never grants a permission: the user's own rules apply."""
    document: dict[str, object] = {}
    if answer.deny is not None:
        document["decision"] = "deny"
        document["reason"] = answer.deny
    elif answer.context:
        document["hookSpecificOutput"] = {"hookEventName": event.name, "additionalContext": answer.context}
    if answer.message:
        document["systemMessage"] = answer.message
    return encode(document) if document else ""
