"""Qwen Code's hook payloads as events, and answers in the form that the client accepts."""

from lessons.agents.call_ids import unique_call_id
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
from lessons.agents.hook_fields import call_of, command_of, start_session, text
from lessons.store.json_text import encode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from lessons.agents.hook_event import Answer

AGENT = "qwen-code"
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
# Text added before a call never reaches the model.
HINTS_AT = AFTER_CALL
_SOURCES = ("resume", "fork", "clear", "compact")


def parse(name: str, payload: "dict[str, object]") -> HookEvent | None:
    """Returns the event; None for an unknown one, and for a call that the user interrupted."""
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
        model=text(payload, "model"),
    )
    if kind == SESSION_START:
        start_session(event, payload, _SOURCES)
    elif kind == SESSION_END:
        event.reason = text(payload, "reason")
    elif kind in (BEFORE_CALL, AFTER_CALL, AFTER_FAILURE):
        return _of_a_call(event, payload)
    return event


def _of_a_call(event: HookEvent, payload: "dict[str, object]") -> HookEvent | None:
    """Uses the model's call id, which the transcript has too."""
    error = text(payload, "error") if event.kind == AFTER_FAILURE else ""
    if event.kind == AFTER_FAILURE and (not error or payload.get("is_interrupt") is True):
        return None
    arguments = payload.get("tool_input")
    event.error = error
    event.command = command_of(arguments)
    given = text(payload, "tool_call_id", "tool_use_id")
    name = unique_call_id(given, event.session, event.agent_id)
    event.call = call_of(event, text(payload, "tool_name"), arguments, name, error or None)
    return event


def render(event: HookEvent, answer: "Answer") -> str:
    """Returns one line of JSON, which never grants a permission: the user's own rules apply."""
    document: dict[str, object] = {}
    if answer.deny is not None:
        document["hookSpecificOutput"] = {
            "hookEventName": event.name,
            "permissionDecision": "deny",
            "permissionDecisionReason": answer.deny,
        }
    elif answer.context and event.kind != BEFORE_COMPACTION:
        document["hookSpecificOutput"] = {"hookEventName": event.name, "additionalContext": answer.context}
    if answer.message:
        document["systemMessage"] = answer.message
    return encode(document) if document else ""
