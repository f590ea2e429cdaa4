"""Codex's hook payloads as events, and answers in the form that the client accepts.

It drops a whole answer if anything in it is unknown or missing: other keys, a deny without a reason, text without
`hookEventName`.
"""

from lessons.agents.hook_event import (
    AFTER_CALL,
    AFTER_FAILURE,
    BEFORE_CALL,
    SESSION_START,
    SUBAGENT_START,
    call_of,
    read_own_file,
    specific_output,
    text,
)
from lessons.agents.hook_lines import read_small
from lessons.agents.table import event_from
from lessons.store.json_text import decode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from lessons.agents.hook_event import Answer, HookEvent

AGENT = "codex"
# Events at which the client accepts text for the model.
_HEARD = (BEFORE_CALL, AFTER_CALL, AFTER_FAILURE, SESSION_START, SUBAGENT_START)
# The service gives every call an id of 24 random letters. Local models number theirs, from 1 in each turn.
_SHORTEST_UNIQUE = 20
# The line about a command was written last, or nearly last if calls run in parallel.
_MOST_BYTES = 1024 * 1024


def parse(name: str, payload: dict[str, object]) -> "HookEvent | None":
    """Returns the event; None for an unknown one. A failed command is recognised by its exit code in the rollout."""
    event = event_from(AGENT, name, payload)
    if event is None:
        return None
    if event.kind not in (BEFORE_CALL, AFTER_CALL):
        return event
    arguments, identifier = payload.get("tool_input"), text(payload, "tool_use_id")
    if event.kind == AFTER_CALL:
        event.command = text(arguments, "command")
        code = exit_code_of(event.transcript, identifier)
        event.worked = code == 0
        if code:
            event.kind = AFTER_FAILURE
            event.error = f"Exit code {code}\n{text(payload, 'tool_response')}"
    identifier = call_name(identifier, text(payload, "turn_id"))
    event.call = call_of(event, text(payload, "tool_name"), arguments, identifier, event.error or None)
    return event


def call_name(call_id: str, turn_id: str) -> str:
    """Returns the id of a call as hook and transcript have it; a short one with the turn, which makes it unique."""
    if not call_id or len(call_id) >= _SHORTEST_UNIQUE or not turn_id:
        return call_id
    return f"{call_id}@{turn_id}"


def exit_code_of(transcript: str, call_id: str) -> int | None:
    """Returns None if the rollout does not show it: unknown is not a failure.

    Codex 0.166 writes `item_completed` with the exit code into the rollout before it starts the hooks of PostToolUse.
    """
    if not transcript or not call_id.replace("-", "").replace("_", "").isalnum():
        return None
    try:
        data = read_own_file(transcript, None, _MOST_BYTES)
    except (OSError, ValueError):
        return None
    wanted = b'"id":"%s"' % call_id.encode()
    for line in reversed(data.split(b"\n")):
        if wanted in line and b'"CommandExecution"' in line:
            code = _code(line, call_id)
            if code is not None:
                return code
    return None


def _code(line: bytes, call_id: str) -> int | None:
    try:
        read = decode(line.decode("utf-8", "replace"))
    except ValueError:
        return None
    payload = read.get("payload") if isinstance(read, dict) else None
    item = payload.get("item") if isinstance(payload, dict) else None
    if not isinstance(item, dict) or item.get("id") != call_id:
        return None
    code = item.get("exit_code")
    return code if isinstance(code, int) and not isinstance(code, bool) else None


def is_trusted(file: str, event: str, group: int, number: int) -> bool:
    """Decides by the table that Codex writes; only `lessons doctor` checks the hash in it."""
    try:
        lines = read_small(f"{file.rpartition('/')[0]}/config.toml").decode("utf-8", "replace").split("\n")
    except OSError:
        return False
    table = f'[hooks.state."{file}:{state_name(event)}:{group}:{number}"]'
    inside = trusted = False
    for line in map(str.strip, lines):
        if line.startswith("["):
            inside = line == table
        elif inside and line.startswith("trusted_hash"):
            trusted = True
        elif inside and line.replace(" ", "") == "enabled=false":
            return False
    return trusted


def state_name(event: str) -> str:
    """Returns the event as the client's configuration spells it: PreToolUse -> pre_tool_use."""
    return "".join("_" + letter.lower() if letter.isupper() else letter for letter in event).lstrip("_")


def render(event: "HookEvent", answer: "Answer") -> str:
    """Returns one line of JSON; only what the client accepts at this event."""
    return specific_output(event, answer, hears=event.kind in _HEARD, denies=event.kind == BEFORE_CALL)
