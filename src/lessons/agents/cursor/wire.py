"""Cursor's hook payloads as events, and answers in its form: as documented, not tested with the client."""

from lessons.agents.hook_event import AFTER_FAILURE, BEFORE_CALL, SESSION_START, HookEvent
from lessons.agents.hook_fields import call_of, text
from lessons.store.json_text import encode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from lessons.agents.hook_event import Answer

AGENT = "cursor"
EVENTS = {"PreToolUse": BEFORE_CALL, "PostToolUseFailure": AFTER_FAILURE, "SessionStart": SESSION_START}
HINTS_AT = BEFORE_CALL


def parse(name: str, payload: "dict[str, object]") -> HookEvent | None:
    kind = EVENTS.get(name)
    if kind is None:
        return None
    session = text(payload, "conversation_id", "session_id")
    roots = payload.get("workspace_roots")
    first = roots[0] if isinstance(roots, list) and roots and isinstance(roots[0], str) else ""
    event = HookEvent(kind, name, agent=AGENT, session=session, cwd=text(payload, "cwd") or first)
    event.model = text(payload, "model")
    if kind == SESSION_START:
        event.source = "startup"
        event.call = call_of(event, name, {})
        return event
    event.error = text(payload, "error_message", "error") if kind == AFTER_FAILURE else ""
    if kind == AFTER_FAILURE and not event.error:
        return None
    tool, arguments = text(payload, "tool_name"), payload.get("tool_input")
    event.call = call_of(event, tool, arguments, text(payload, "tool_use_id"), event.error or None)
    return event


def render(event: HookEvent, answer: "Answer") -> str:
    """Returns one line of JSON, which never grants a permission."""
    document: dict[str, object] = {}
    if answer.deny is not None:
        document = {"permission": "deny", "agent_message": answer.deny}
    elif answer.context:
        document = {"additional_context": answer.context}
    if answer.message and answer.deny is not None:
        document["user_message"] = answer.message
    return encode(document) if document else ""
