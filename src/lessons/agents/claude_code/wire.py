"""Claude Code's hook payloads as events, and answers in the form that the client accepts."""

from lessons.agents.hook_event import (
    AFTER_CALL,
    AFTER_FAILURE,
    BEFORE_CALL,
    BEFORE_COMPACTION,
    TURN_END,
    call_of,
    specific_output,
    text,
)
from lessons.agents.table import event_from

TYPE_CHECKING = False
if TYPE_CHECKING:
    from lessons.agents.hook_event import Answer, HookEvent

AGENT = "claude-code"


def parse(name: str, payload: dict[str, object]) -> "HookEvent | None":
    """Returns the event; None for an unknown one, and for a call that the user interrupted."""
    event = event_from(AGENT, name, payload)
    if event is None:
        return None
    kind, arguments = event.kind, payload.get("tool_input")
    if kind == AFTER_FAILURE:
        event.error = text(payload, "error")
        if not event.error or payload.get("is_interrupt") is True:
            return None
    if kind in (BEFORE_CALL, AFTER_FAILURE):
        tool, identifier = text(payload, "tool_name"), text(payload, "tool_use_id")
        event.call = call_of(event, tool, arguments, identifier, event.error or None)
    elif kind == TURN_END:
        event.is_continued = payload.get("stop_hook_active") is True
    elif kind == AFTER_CALL:
        event.command = text(arguments, "command")
    return event


def sender(payload: dict[str, object]) -> str:
    """Returns the agent that sent a payload: Copilot CLI and Cursor run hooks in this client's settings too.

    Copilot sends a time, which this client never does, and in most payloads no transcript.
    """
    if "conversation_id" in payload and "session_id" not in payload:
        return "cursor"
    if "timestamp" not in payload or "permission_mode" in payload:
        return AGENT
    path = text(payload, "transcript_path", "transcriptPath")
    return "copilot-cli" if not path or "/session-state/" in path.replace("\\", "/") else AGENT


def render(event: "HookEvent", answer: "Answer") -> str:
    """Returns one line of JSON; before a compaction plain text, which becomes part of the summariser's instructions."""
    if event.kind == BEFORE_COMPACTION:
        return answer.context
    return specific_output(event, answer)
