"""Claude Code's hook payloads as events, and answers in the form that the client accepts."""

from lessons.agents import hook_payload
from lessons.agents.hook_event import (
    AFTER_CALL,
    AFTER_FAILURE,
    BEFORE_CALL,
    BEFORE_COMPACTION,
    SESSION_END,
    SESSION_START,
    SUBAGENT_START,
    TURN_END,
)
from lessons.agents.hook_payload import event_of, start_session, text
from lessons.store.json_text import encode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from lessons.agents.hook_event import Answer, HookEvent
    from lessons.match.call import ToolCall

AGENT = "claude-code"
EVENTS = {
    "PreToolUse": BEFORE_CALL,
    "PostToolUse": AFTER_CALL,
    "PostToolUseFailure": AFTER_FAILURE,
    "SessionStart": SESSION_START,
    "SubagentStart": SUBAGENT_START,
    "PreCompact": BEFORE_COMPACTION,
    "Stop": TURN_END,
    "SessionEnd": SESSION_END,
}
HINTS_AT = BEFORE_CALL


def parse(name: str, payload: dict[str, object]) -> "HookEvent | None":
    """Returns the event; None for an unknown one, and for a call that the user interrupted."""
    kind = EVENTS.get(name)
    if kind is None:
        return None
    event = event_of(AGENT, kind, name, payload)
    if kind == BEFORE_CALL:
        event.call = tool_call(payload)
    elif kind == AFTER_FAILURE:
        event.error = text(payload, "error")
        if not event.error or payload.get("is_interrupt") is True:
            return None
        event.call = tool_call(payload, event.error)
    elif kind == SESSION_START:
        start_session(AGENT, event, payload)
    elif kind == SESSION_END:
        event.reason = text(payload, "reason")
    elif kind == AFTER_CALL:
        arguments = payload.get("tool_input")
        event.command = text(arguments, "command") if isinstance(arguments, dict) else ""
    return event


def sender(payload: dict[str, object]) -> str:
    """Returns the agent that sent a payload: Copilot CLI and Cursor run hooks in this client's settings too.

    Copilot sends a time, which this client never does, and in most payloads no transcript.
    """
    if "conversation_id" in payload and "session_id" not in payload:
        return "cursor"
    if "timestamp" not in payload or "permission_mode" in payload:
        return AGENT
    path = text(payload, "transcript_path") or text(payload, "transcriptPath")
    return "copilot-cli" if not path or "/session-state/" in path.replace("\\", "/") else AGENT


def render(event: "HookEvent", answer: "Answer") -> str:
    """Returns one line of JSON, which never grants a permission: the user's own rules apply.

    Before a compaction it is plain text: all output there becomes part of the summariser's instructions.
    """
    if event.kind == BEFORE_COMPACTION:
        return answer.context
    document: dict[str, object] = {}
    if answer.deny is not None:
        document["hookSpecificOutput"] = {
            "hookEventName": event.name,
            "permissionDecision": "deny",
            "permissionDecisionReason": answer.deny,
        }
    elif answer.context:
        document["hookSpecificOutput"] = {"hookEventName": event.name, "additionalContext": answer.context}
    if answer.message:
        document["systemMessage"] = answer.message
    return encode(document) if document else ""


def tool_call(payload: dict[str, object], error: str | None = None) -> "ToolCall | None":
    """Returns the call of a tool event; None if no tool is named."""
    return hook_payload.tool_call(AGENT, payload, error)
