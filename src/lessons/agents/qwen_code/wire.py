"""Qwen Code's hook payloads as events, and answers in the form that the client accepts."""

from lessons.agents.hook_event import (
    AFTER_CALL,
    AFTER_FAILURE,
    BEFORE_CALL,
    BEFORE_COMPACTION,
    call_of,
    error_of,
    specific_output,
    text,
    unique_call_id,
)
from lessons.agents.shell_frame import taken_apart
from lessons.agents.table import event_from

TYPE_CHECKING = False
if TYPE_CHECKING:
    from lessons.agents.hook_event import Answer, HookEvent

AGENT = "qwen-code"


def parse(name: str, payload: dict[str, object]) -> "HookEvent | None":
    """Returns the event; None for an unknown one, and for a call that the user interrupted."""
    event = event_from(AGENT, name, payload)
    if event is None:
        return None
    kind = event.kind
    if kind not in (BEFORE_CALL, AFTER_CALL, AFTER_FAILURE):
        return event
    if kind == AFTER_FAILURE:
        event.error = text(payload, "error")
        if not event.error or payload.get("is_interrupt") is True:
            return None
        shell = taken_apart(event.error)
        if shell and shell[1]:
            event.error = error_of(*shell)
    arguments = payload.get("tool_input")
    event.worked = kind == AFTER_CALL
    event.command = text(arguments, "command")
    # The model's call id, which the transcript has too.
    name = unique_call_id(text(payload, "tool_call_id", "tool_use_id"), event.session, event.agent_id)
    event.call = call_of(event, text(payload, "tool_name"), arguments, name, event.error or None)
    return event


def render(event: "HookEvent", answer: "Answer") -> str:
    """Returns one line of JSON; the client accepts no text before a compaction."""
    return specific_output(event, answer, hears=event.kind != BEFORE_COMPACTION)


def example(word: str, session: str) -> dict[str, object]:
    return {"tool_name": "run_shell_command", "tool_call_id": "doctor", "error": word}
