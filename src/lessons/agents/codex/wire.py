"""Codex's hook payloads as events, and answers in the form that the client accepts.

It drops a whole answer if anything in it is unknown or missing: other keys, a deny without a reason, text without
`hookEventName`.
"""

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
from lessons.agents.hook_payload import event_of, start_session, text, tool_call
from lessons.store.json_text import encode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from lessons.agents.hook_event import Answer, HookEvent
    from lessons.match.call import ToolCall

AGENT = "codex"
EVENTS = {
    "PreToolUse": BEFORE_CALL,
    "PostToolUse": AFTER_CALL,
    "SessionStart": SESSION_START,
    "SubagentStart": SUBAGENT_START,
    "PreCompact": BEFORE_COMPACTION,
    "Stop": TURN_END,
    "SessionEnd": SESSION_END,
}
HINTS_AT = BEFORE_CALL
# Events at which the client accepts text for the model.
_HEARD = (BEFORE_CALL, AFTER_CALL, AFTER_FAILURE, SESSION_START, SUBAGENT_START)


def parse(name: str, payload: dict[str, object]) -> "HookEvent | None":
    """Returns the event; None for an unknown one. A failed command is recognised by its exit code in the rollout."""
    kind = EVENTS.get(name)
    if kind is None:
        return None
    event = event_of(AGENT, kind, name, payload)
    if kind == BEFORE_CALL:
        event.call = _call(payload)
    elif kind == AFTER_CALL:
        _take_result(event, payload)
    elif kind == SESSION_START:
        start_session(AGENT, event, payload)
    elif kind == SESSION_END:
        event.reason = text(payload, "reason")
    return event


def _call(payload: dict[str, object], error: str | None = None) -> "ToolCall | None":
    from lessons.agents.codex.call_names import call_name

    name = call_name(text(payload, "tool_use_id"), text(payload, "turn_id"))
    return tool_call(AGENT, {**payload, "tool_use_id": name}, error)


def _take_result(event: "HookEvent", payload: dict[str, object]) -> None:
    from lessons.agents.codex.exit_code import exit_code_of

    arguments = payload.get("tool_input")
    event.command = text(arguments, "command") if isinstance(arguments, dict) else ""
    code = exit_code_of(event.transcript, text(payload, "tool_use_id"))
    if code:
        event.kind = AFTER_FAILURE
        event.error = f"Exit code {code}\n{text(payload, 'tool_response')}"
        event.call = _call(payload, event.error)


def render(event: "HookEvent", answer: "Answer") -> str:
    """Returns one line of JSON, which never grants a permission: the user's own rules apply."""
    document: dict[str, object] = {}
    if event.kind == BEFORE_CALL and answer.deny is not None:
        document["hookSpecificOutput"] = {
            "hookEventName": event.name,
            "permissionDecision": "deny",
            "permissionDecisionReason": answer.deny,
        }
    elif answer.context and event.kind in _HEARD:
        document["hookSpecificOutput"] = {"hookEventName": event.name, "additionalContext": answer.context}
    if answer.message:
        document["systemMessage"] = answer.message
    return encode(document) if document else ""
