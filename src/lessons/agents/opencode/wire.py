"""What our plugin sends at opencode's events, and the answers that it returns to opencode."""

from lessons.agents.hook_event import (
    AFTER_CALL,
    AFTER_FAILURE,
    BEFORE_CALL,
    SESSION_START,
    HookEvent,
    call_of,
    error_of,
    start_session,
    text,
    unique_call_id,
)
from lessons.agents.table import AGENTS
from lessons.store.json_text import encode
from lessons.system import environment

TYPE_CHECKING = False
if TYPE_CHECKING:
    from lessons.agents.hook_event import Answer

AGENT = "opencode"
_OF_CALLS = (BEFORE_CALL, AFTER_CALL, AFTER_FAILURE)


def parse(name: str, payload: dict[str, object]) -> HookEvent | None:
    """Returns the event; None for an unknown one. A subagent has its own session, plus that of its parent."""
    kind = AGENTS[AGENT].kind_of(name)
    if kind is None:
        return None
    own, parent = text(payload, "session"), text(payload, "parent")
    event = HookEvent(
        kind,
        name,
        agent=AGENT,
        session=parent or own,
        agent_id=own if parent else "",
        cwd=text(payload, "directory"),
        transcript=f"{_database()}#{own}" if own else "",
        model=text(payload, "model"),
    )
    if kind == SESSION_START:
        start_session(event, payload)
    elif kind in _OF_CALLS:
        _of_a_call(event, payload, own)
    return event


def _of_a_call(event: HookEvent, payload: dict[str, object], session: str) -> None:
    arguments = payload.get("args")
    fields: dict[str, object] = arguments if isinstance(arguments, dict) else {}
    folder = text(fields, "workdir")
    if folder:
        event.cwd = folder if folder.startswith("/") else f"{event.cwd}/{folder}"
    if event.kind != BEFORE_CALL:
        event.command = text(fields, "command")
        event.error = _error(event, payload)
        event.kind = AFTER_FAILURE if event.error else AFTER_CALL
    name = unique_call_id(text(payload, "call"), session)
    event.call = call_of(event, text(payload, "tool"), fields, name, event.error or None)
    if event.kind == AFTER_CALL and event.call:
        event.worked = not event.call.is_shell or "exit" in payload


def _error(event: HookEvent, payload: dict[str, object]) -> str:
    """Returns the message of a failed call; a command that was ended early has no exit code."""
    if event.kind == AFTER_FAILURE:
        return text(payload, "output") or "The call failed."
    if "exit" not in payload or payload["exit"] == 0:
        return ""
    return error_of(text(payload, "output"), payload["exit"])


def _database() -> str:
    """Returns where the session is stored, as opencode finds it."""
    chosen = environment("OPENCODE_DB")
    if chosen.startswith("/"):
        return chosen
    base = environment("XDG_DATA_HOME") or f"{environment('HOME')}/.local/share"
    return f"{base}/opencode/{chosen or 'opencode.db'}"


def render(event: HookEvent, answer: "Answer") -> str:
    """Returns one line of JSON for the plugin."""
    fields = {"deny": answer.deny, "context": answer.context, "message": answer.message}
    return encode({name: words for name, words in fields.items() if words})


def example(word: str, session: str) -> dict[str, object]:
    call = {"tool": "bash", "call": "doctor", "args": {"command": word}, "output": word, "exit": 1}
    return {"session": session, "directory": "/nowhere", **call}
