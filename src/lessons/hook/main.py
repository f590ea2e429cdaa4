"""The process boundary of the hook: the payload on stdin, the answer on stdout; never raises."""

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
)
from lessons.agents.table import DEFAULT_AGENT, part_of, wire_of
from lessons.hook.payload import read_payload
from lessons.hook_paths import data_home
from lessons.store import fired
from lessons.system import environment, system

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from lessons.agents.hook_event import Answer, HookEvent

# One handler module per kind of event; loaded when the event occurs.
_HANDLERS = {
    BEFORE_CALL: "before_call",
    AFTER_CALL: "after_call",
    AFTER_FAILURE: "after_failure",
    SESSION_START: "session_start",
    SUBAGENT_START: "subagent_start",
    BEFORE_COMPACTION: "before_compaction",
    TURN_END: "turn_end",
    SESSION_END: "session_end",
}
# Not an event: the process stays and answers one call after the other.
SERVER = "Resident"


def run(name: str, options: list[str]) -> int:
    """Handles one hook event; returns 1 if the package is incomplete, which the user must be told."""
    home = ""
    try:
        agent = _option(options, "--agent") or DEFAULT_AGENT
        if name == SERVER:
            return _serve(agent, options)
        if environment("LESSONS_DISABLE") not in ("", "0"):
            return 0
        home = data_home()
        kind = wire_of(agent).EVENTS.get(name)
        if kind is None:
            return 0
        if "--plugin" in options and part_of(agent, "hook_in_settings").in_settings(name):
            return 0
        fired.touch(home, kind)
        payload = read_payload(home, name)
        answer = "" if payload is None else answer_to(name, payload, home, options, agent)
        if answer:
            _write(answer.encode("ascii"))
    except BaseException as fault:
        if home:
            from lessons.store import faults

            faults.record(home, name, faults.describe(fault))
        return 1 if name == SERVER or isinstance(fault, ImportError | AttributeError | NameError) else 0
    return 0


def answer_to(name: str, payload: dict[str, object], home: str, options: list[str], agent: str = DEFAULT_AGENT) -> str:
    """Returns the agent's answer to one event; empty if the hook has nothing to say."""
    wire = wire_of(agent)
    if hasattr(wire, "sender") and (sender := wire.sender(payload)) != agent:
        # An agent that also runs the hooks in another agent's settings; if it has its own hook, that one answers.
        if part_of(sender, "hook_in_settings").in_settings(name):
            return ""
        agent, wire, options = sender, wire_of(sender), [each for each in options if each != "--behind-server"]
    event = wire.parse(name, payload)
    if event is None:
        return ""
    event.client = _option(options, "--client")
    answer = _handled(event, home, options)
    return wire.render(event, answer) if answer else ""


def _handled(event: "HookEvent", home: str, options: list[str]) -> "Answer | None":
    module = f"lessons.hook.{_HANDLERS[event.kind]}"
    if module not in sys.modules:
        __import__(module)
    handler: Callable[..., Answer | None] = sys.modules[module].answer
    # A resident server may answer the same call.
    if event.kind == BEFORE_CALL and "--behind-server" in options:
        shared: Answer | None = part_of(event.agent, "server.shared_call").answer_of_command(
            event, home, options, handler
        )
        return shared
    return handler(event, home, _option(options, "--python"))


def _serve(agent: str, options: list[str]) -> int:
    """Serves; with `--check` it only reports, by its exit code, whether it could."""
    from lessons.hook import resident

    home = data_home()
    resident.load(agent)
    if "--check" not in options:
        resident.serve(agent, home)
    return 0


def _option(options: list[str], name: str) -> str:
    place = options.index(name) + 1 if name in options else len(options)
    return options[place] if place < len(options) else ""


def _write(data: bytes) -> None:
    while data:
        data = data[system.write(1, data) :]
