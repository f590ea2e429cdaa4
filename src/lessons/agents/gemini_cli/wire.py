"""Gemini CLI's hook payloads as events, and answers in the form that the client accepts."""

from lessons.agents.hook_event import AFTER_CALL, AFTER_FAILURE, BEFORE_CALL, call_of, error_of, text
from lessons.agents.shell_frame import taken_apart
from lessons.agents.table import event_from
from lessons.store.json_text import encode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from lessons.agents.hook_event import Answer, HookEvent

AGENT = "gemini-cli"


def parse(name: str, payload: dict[str, object]) -> "HookEvent | None":
    """Returns the event; None for an unknown one."""
    event = event_from(AGENT, name, payload)
    if event is None:
        return None
    if event.kind in (BEFORE_CALL, AFTER_CALL):
        _take_call(event, payload)
    return event


def _take_call(event: "HookEvent", payload: dict[str, object]) -> None:
    """The client sends no id; the result shows whether a call failed."""
    arguments, response = payload.get("tool_input"), payload.get("tool_response")
    has_result = event.kind == AFTER_CALL and isinstance(response, dict)
    shell = taken_apart(text(response, "llmContent")) if has_result else None
    if event.kind == AFTER_CALL:
        event.command = text(arguments, "command")
        error = response.get("error") if isinstance(response, dict) else None
        if isinstance(error, dict):
            event.error = text(error, "message") or "The call failed."
        elif shell and shell[1] != 0:
            event.error = error_of(*shell)
        if event.error:
            event.kind = AFTER_FAILURE
    event.call = call_of(event, text(payload, "tool_name"), arguments, error=event.error or None)
    if has_result and event.kind == AFTER_CALL and event.call:
        event.worked = not event.call.is_shell or (shell is not None and shell[1] == 0)


def render(event: "HookEvent", answer: "Answer") -> str:
    """Returns one line of JSON, which never grants a permission: the user's own rules apply."""
    document: dict[str, object] = {}
    if answer.deny is not None:
        document = {"decision": "deny", "reason": answer.deny}
    elif answer.context:
        document = {"hookSpecificOutput": {"hookEventName": event.name, "additionalContext": answer.context}}
    if answer.message:
        document["systemMessage"] = answer.message
    return encode(document) if document else ""


def example(word: str, session: str) -> dict[str, object]:
    response = {"llmContent": f"Output: {word}\nExit Code: 1"}
    return {"tool_name": "run_shell_command", "tool_response": response}
