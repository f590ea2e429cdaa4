"""The process boundary of the hook: the payload on stdin, the answer on stdout; never raises."""

import sys

from lessons.agents.hook_event import (
    AFTER_CALL,
    AFTER_FAILURE,
    BEFORE_CALL,
    BEFORE_COMPACTION,
    LARGEST_PAYLOAD,
    NOT_EXAMINED,
    SESSION_END,
    SESSION_START,
    SUBAGENT_START,
    TURN_END,
)
from lessons.agents.table import AGENTS, DEFAULT_AGENT, part_of, wire_of
from lessons.hook.lookup import note_fault
from lessons.paths import data_home
from lessons.store import fired
from lessons.store.json_text import decode
from lessons.system import environment, system

TYPE_CHECKING = False
if TYPE_CHECKING:
    import signal as _signal
    from collections.abc import Callable
    from types import FrameType

    from lessons.agents.hook_event import Answer, HookEvent
else:
    try:
        import _signal
    except ImportError:  # another interpreter
        _signal = None

# The client allows 5 seconds per call: the rest is for the answer.
SECONDS = 3
_LATE = f"stdin did not end within {SECONDS} s"
# An oversized payload is still read, so that the client can write all of it, but only up to this limit.
_MOST_BYTES = 128 << 20


class _Late(BaseException):
    """The time is over; not an `Exception`, because it may occur anywhere."""


class _Reader:
    """The input so far; discards a payload that is too large."""

    def __init__(self) -> None:
        self.pieces: list[bytes] = []
        self.size = 0
        self.waits = True

    def read(self) -> None:
        while self.size < _MOST_BYTES and (piece := system.read(0, 1 << 16)):
            self.size += len(piece)
            if self.size <= LARGEST_PAYLOAD:
                self.pieces.append(piece)
            else:
                self.pieces.clear()

    def ring(self, number: int, frame: "FrameType | None") -> None:
        if self.waits:
            raise _Late


def read_payload(home: str, event: str) -> dict[str, object] | None:
    """Returns None if it is too large (logged); raises ValueError if it is not a JSON object."""
    reader = _Reader()
    is_late = _read_in_time(reader)
    if is_late:
        note_fault(home, event, _LATE)
    if reader.size > LARGEST_PAYLOAD:
        note_fault(home, event, NOT_EXAMINED)
        return None
    if is_late and not reader.size:
        return None
    value = decode(b"".join(reader.pieces).decode("utf-8", "replace"))
    if not isinstance(value, dict):
        raise ValueError("the payload is not an object")
    return value


def _read_in_time(reader: _Reader) -> bool:
    """Whether the time ran out before stdin ended. Without a timer it waits until stdin ends."""
    if not hasattr(_signal, "setitimer"):
        reader.read()
        return False
    _signal.signal(_signal.SIGALRM, reader.ring)
    # A parent may have passed the signal on blocked, as well as ignored.
    _signal.pthread_sigmask(_signal.SIG_UNBLOCK, (_signal.SIGALRM,))
    _signal.setitimer(_signal.ITIMER_REAL, SECONDS)
    try:
        reader.read()
    except _Late:
        return True
    finally:
        reader.waits = False
        _signal.setitimer(_signal.ITIMER_REAL, 0)
    return False


# The module and the function for each kind of event; loaded when the event occurs.
_HANDLERS = {
    BEFORE_CALL: ("lessons.hook.calls", "before_call"),
    AFTER_CALL: ("lessons.hook.calls", "after_call"),
    AFTER_FAILURE: ("lessons.hook.calls", "after_failure"),
    SESSION_START: ("lessons.hook.sessions", "session_start"),
    SUBAGENT_START: ("lessons.hook.sessions", "subagent_start"),
    BEFORE_COMPACTION: ("lessons.hook.sessions", "before_compaction"),
    TURN_END: ("lessons.hook.sessions", "turn_end"),
    SESSION_END: ("lessons.hook.sessions", "session_end"),
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
        kind = AGENTS[agent].kind_of(name)
        if kind is None:
            return 0
        if "--plugin" in options and _in_settings(agent, name):
            return 0
        fired.touch(home, kind)
        payload = read_payload(home, name)
        answer = "" if payload is None else answer_to(name, payload, home, options, agent)
        if answer:
            _write(answer.encode("ascii"))
    except BaseException as fault:
        if home:
            note_fault(home, name, fault)
        return 1 if name == SERVER or isinstance(fault, ImportError | AttributeError | NameError) else 0
    return 0


def answer_to(name: str, payload: dict[str, object], home: str, options: list[str], agent: str = DEFAULT_AGENT) -> str:
    """Returns the agent's answer to one event; empty if the hook has nothing to say."""
    wire = wire_of(agent)
    if hasattr(wire, "sender") and (sender := wire.sender(payload)) != agent:
        # An agent that also runs the hooks in another agent's settings; if it has its own hook, that one answers.
        if _in_settings(sender, name):
            return ""
        agent, wire = sender, wire_of(sender)
    event = wire.parse(name, payload)
    if event is None:
        return ""
    event.client = _option(options, "--client")
    answer = _handled(event, home, options)
    return wire.render(event, answer) if answer else ""


def _in_settings(agent: str, event: str) -> bool:
    """Whether the agent's own settings have the hook, which then answers alone."""
    from lessons.agents.hook_lines import in_settings

    return in_settings(agent, event)


def _handled(event: "HookEvent", home: str, options: list[str]) -> "Answer | None":
    module, function = _HANDLERS[event.kind]
    if module not in sys.modules:
        __import__(module)
    handler: Callable[..., Answer | None] = getattr(sys.modules[module], function)
    return handler(event, home, _option(options, "--python"))


def _serve(agent: str, options: list[str]) -> int:
    """Serves until the agent ends; with `--check` it only reports, by its exit code, whether it could."""
    from lessons.hook.bundled_modules import WHEN_IMPORTED
    from lessons.hook.calls import before_call

    home = data_home()
    for name in ("re", *WHEN_IMPORTED):  # the files may be deleted by the time a call needs them
        __import__(name)
    b"".decode("utf-8-sig")  # the codec of a manifest
    if "--check" not in options:
        part_of(agent, "resident").serve(home, before_call)
    return 0


def _option(options: list[str], name: str) -> str:
    place = options.index(name) + 1 if name in options else len(options)
    return options[place] if place < len(options) else ""


def _write(data: bytes) -> None:
    while data:
        data = data[system.write(1, data) :]
