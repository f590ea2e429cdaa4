"""Cursor's hook payloads as events, and answers in its form: as documented, not tested with the client."""

from lessons.agents.hook_event import AFTER_FAILURE, SESSION_START, HookEvent, call_of, start_session, text
from lessons.agents.table import AGENTS
from lessons.store.json_text import encode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from lessons.agents.hook_event import Answer

AGENT = "cursor"


def parse(name: str, payload: dict[str, object]) -> HookEvent | None:
    kind = AGENTS[AGENT].kind_of(name)
    if kind is None:
        return None
    session = text(payload, "conversation_id", "session_id")
    roots = payload.get("workspace_roots")
    first = roots[0] if isinstance(roots, list) and roots and isinstance(roots[0], str) else ""
    event = HookEvent(kind, name, agent=AGENT, session=session, cwd=text(payload, "cwd") or first)
    event.model = text(payload, "model")
    if kind == SESSION_START:
        start_session(event, {})
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
        if answer.message:
            document["user_message"] = answer.message
    elif answer.context:
        document = {"additional_context": answer.context}
    return encode(document) if document else ""


def example(word: str, session: str) -> dict[str, object]:
    return {"conversation_id": session, "tool_name": "Shell", "error_message": word}
