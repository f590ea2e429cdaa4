"""Claude Code's hook payloads as events, and answers in the form that the client honours."""

import sys

from lessons.agents.hook_event import (
    AFTER_CALL,
    AFTER_FAILURE,
    BEFORE_CALL,
    BEFORE_COMPACTION,
    SESSION_END,
    SESSION_START,
    SUBAGENT_START,
    TURN_END,
    HookEvent,
)
from lessons.match.call import ToolCall, system_name
from lessons.store.json_text import encode
from lessons.system import environment

TYPE_CHECKING = False
if TYPE_CHECKING:
    from lessons.agents.hook_event import Answer

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


def parse(name: str, payload: dict[str, object]) -> HookEvent | None:
    """The event; None for one that is unknown, and for a call that the person interrupted."""
    kind = EVENTS.get(name)
    if kind is None:
        return None
    event = HookEvent(
        kind,
        name,
        agent=AGENT,
        session=text(payload, "session_id"),
        agent_id=text(payload, "agent_id"),
        cwd=text(payload, "cwd"),
        transcript=text(payload, "transcript_path"),
    )
    if kind == BEFORE_CALL:
        event.call = tool_call(payload)
    elif kind == AFTER_FAILURE:
        event.error = text(payload, "error")
        if not event.error or payload.get("is_interrupt") is True:
            return None
        event.call = tool_call(payload, event.error)
    elif kind == SESSION_START:
        event.source = text(payload, "source") or "startup"
        event.model = text(payload, "model")
        # No tool is called, but the conditions of a lesson are asked and the log is written as for a call.
        event.call = tool_call({**payload, "tool_name": name, "tool_input": {}})
    elif kind == SESSION_END:
        event.reason = text(payload, "reason")
    elif kind == AFTER_CALL:
        arguments = payload.get("tool_input")
        event.command = text(arguments, "command") if isinstance(arguments, dict) else ""
    return event


def render(event: HookEvent, answer: "Answer") -> str:
    """One line of JSON, which never grants a permission: the person's own rules apply.

    Before a compaction it is plain text: all that is printed there becomes part of the summariser's instructions.
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


def text(payload: dict[str, object], key: str) -> str:
    """A field as text; what is missing or of another type is empty."""
    value = payload.get(key)
    return value if isinstance(value, str) else ""


def tool_call(payload: dict[str, object], error: str | None = None) -> ToolCall | None:
    """The call of a tool event; None when no tool is named."""
    tool = text(payload, "tool_name")
    if not tool:
        return None
    return ToolCall(
        tool,
        payload.get("tool_input"),
        agent=AGENT,
        session=text(payload, "session_id") or text(payload, "transcript_path"),
        agent_id=text(payload, "agent_id"),
        tool_use_id=text(payload, "tool_use_id"),
        cwd=text(payload, "cwd"),
        error=error,
        model=text(payload, "model"),
        operating_system=system_name(sys.platform),
        shell=environment("SHELL").replace("\\", "/").rpartition("/")[2],
    )
