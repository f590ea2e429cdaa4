"""The input and answer of a hook, independent of the agent, and what the wires of several agents share. (hot)

`wire.py` of an agent has two functions: `parse(name, payload)` returns the event in a payload, or None if there is
nothing to do; `render(event, answer)` what the agent reads on stdout. If hints come after the call, `parse` gives the
events AFTER_CALL and AFTER_FAILURE a `call`; calls are still denied before they run. If the row asks at AFTER_CALL,
`parse` gives that event its `call` and sets `worked`.

Optional: `sender(payload)` names the agent that sent a payload, for an agent whose settings others read too: if that
one has its own hook, it answers alone. `is_trusted(file, event, group, number)`: whether the client runs that handler.
`example(word, session)`: the fields in which payloads differ from those of Claude Code, for the trial of `doctor`.
"""

import sys

from lessons.match.call import ToolCall, system_name
from lessons.store.json_text import encode
from lessons.system import O_BINARY, environment, read_at, system

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    class Wire(Protocol):
        """The hot module `wire` of an agent."""

        def parse(self, name: str, payload: dict[str, object]) -> "HookEvent | None": ...
        def render(self, event: "HookEvent", answer: "Answer") -> str: ...


# A larger call, in bytes of JSON, is not examined: that would take longer than the client waits.
LARGEST_PAYLOAD = 4 << 20
NOT_EXAMINED = "the payload is larger than 4 MB and was not examined"

# The kinds of events. The values are their names on disk, in `fired/`, `injections.jsonl` and `faults.log`.
BEFORE_CALL = "PreToolUse"
AFTER_CALL = "PostToolUse"
AFTER_FAILURE = "PostToolUseFailure"
SESSION_START = "SessionStart"
SUBAGENT_START = "SubagentStart"
BEFORE_COMPACTION = "PreCompact"
TURN_END = "Stop"
SESSION_END = "SessionEnd"

_SOURCES = ("resume", "fork", "clear", "compact")
# This many letters and digits in a row are random or a time; `call_1` and `functions.bash:3` occur in every session.
_RANDOM_LENGTH = 12


class HookEvent:
    """One event of a session; fields that the agent did not send are empty."""

    def __init__(
        self,
        kind: str,
        name: str = "",
        *,
        agent: str = "",
        session: str = "",
        agent_id: str = "",
        cwd: str = "",
        transcript: str = "",
        model: str = "",
        source: str = "",
        reason: str = "",
        command: str = "",
        error: str = "",
        call: ToolCall | None = None,
    ) -> None:
        self.kind = kind
        self.name = name or kind  # the agent's own name of the event
        self.agent = agent
        self.session = session
        self.agent_id = agent_id  # of a subagent
        self.cwd = cwd
        self.transcript = transcript
        self.model = model
        self.source = source  # of a starting session: startup, resume, fork, clear or compact
        self.reason = reason  # of an ending session
        self.command = command  # of a shell call that has run
        self.error = error  # of a call that has failed
        self.call = call  # of a call that has run only if hints wait for that
        self.client = ""  # the agent's process id, if the command line has it
        self.worked = False  # a call that has run surely succeeded
        self.is_continued = False  # the turn that ends was continued by a hook at its end

    @property
    def session_key(self) -> str:
        """The key for claims: the session, or its transcript if the agent names no session."""
        return self.session or self.transcript


class Answer:
    """The answer: text for the model, a reason to deny the call, a message for the user; all may be missing.

    All of them are made neutral here: there is no other way to the model.
    """

    __slots__ = ("context", "deny", "message")

    def __init__(self, context: str = "", deny: str | None = None, message: str = "") -> None:
        # Most calls end without an answer: load this only now.
        from lessons.plain import neutral

        self.context = neutral(context)
        # Clients ignore a deny without a reason, and run the call.
        self.deny = None if deny is None else neutral(deny if neutral(deny).strip() else "A lesson stops this call.")
        self.message = neutral(message)

    def with_message(self, message: str) -> "Answer":
        """Returns the same answer with one more line for the user."""
        return Answer(self.context, self.deny, f"{self.message}\n{message}" if self.message else message)


def text(payload: object, *names: str) -> str:
    """Returns the first of these fields that is a text; empty if none is."""
    if isinstance(payload, dict):
        for name in names:
            value = payload.get(name)
            if isinstance(value, str) and value:
                return value
    return ""


def event_of(agent: str, kind: str, name: str, payload: dict[str, object]) -> HookEvent:
    """Returns the event with the fields of Claude Code's payloads, which other agents have adopted."""
    return HookEvent(
        kind,
        name,
        agent=agent,
        session=text(payload, "session_id"),
        agent_id=text(payload, "agent_id"),
        cwd=text(payload, "cwd"),
        transcript=text(payload, "transcript_path"),
        model=text(payload, "model"),
        reason=text(payload, "reason"),
    )


def call_of(
    event: HookEvent, tool: str, arguments: object, tool_use_id: str = "", error: str | None = None
) -> ToolCall | None:
    """Returns the call that an event is about; None if no tool is named."""
    if not tool:
        return None
    return ToolCall(
        tool,
        arguments,
        agent=event.agent,
        session=event.session_key,
        agent_id=event.agent_id,
        tool_use_id=tool_use_id,
        cwd=event.cwd,
        error=error,
        model=event.model,
        operating_system=system_name(sys.platform),
        shell=environment("SHELL").replace("\\", "/").rpartition("/")[2],
    )


def start_session(event: HookEvent, payload: dict[str, object]) -> None:
    """Sets the kind of start. No tool is called, but conditions of lessons and the log need a call."""
    source = text(payload, "source")
    event.source = source if source in _SOURCES else "startup"
    event.call = call_of(event, event.name, {})


def error_of(output: str, code: object) -> str:
    """Returns the error of a failed command as every agent has it: the exit code above what was printed."""
    return f"Exit code {code}\n{output}".rstrip("\n") if isinstance(code, int) else output


def specific_output(event: HookEvent, answer: Answer, hears: bool = True, denies: bool = True) -> str:
    """Returns an answer in the form of Claude Code, which never grants a permission: the user's own rules apply.

    `hears`: the client accepts text for the model at this event; `denies`: it lets a hook deny there.
    """
    document: dict[str, object] = {}
    if denies and answer.deny is not None:
        document["hookSpecificOutput"] = {
            "hookEventName": event.name,
            "permissionDecision": "deny",
            "permissionDecisionReason": answer.deny,
        }
    elif hears and answer.context:
        document["hookSpecificOutput"] = {"hookEventName": event.name, "additionalContext": answer.context}
    if answer.message:
        document["systemMessage"] = answer.message
    return encode(document) if document else ""


def unique_call_id(given: str, session: str, agent_id: str = "") -> str:
    """Returns the id if it is unique across sessions by itself, else with its session and subagent."""
    if not given or not session:
        return given
    length = 0
    for sign in given:
        length = length + 1 if sign.isalnum() else 0
        if length == _RANDOM_LENGTH:
            return given
    return f"{given}@{session}/{agent_id}" if agent_id else f"{given}@{session}"


class Unrecorded:
    """Every text counts as delivered: the client never loses one, or nothing shows it."""

    def __init__(self, answered: bool | None) -> None:
        self._answered = answered

    def note(self, call: "ToolCall", event: str, transcript: str) -> str:
        return ""

    def arrived(self, noted: str) -> bool | None:
        return True

    def is_answered(self, noted: str) -> bool | None:
        return self._answered


def read_own_file(path: str, position: int | None, most: int) -> bytes:
    """Returns the content from a position on, or the last bytes if there is none.

    Only of a regular file that belongs to the user, because the path came from outside: else raises ValueError or
    OSError.
    """
    if not _is_own_file(system.stat(path)):
        raise ValueError("not a file of the user")
    file = system.open(path, system.O_RDONLY | getattr(system, "O_NONBLOCK", 0) | O_BINARY)
    try:
        status = system.fstat(file)
        if not _is_own_file(status):
            raise ValueError("not a file of the user")
        return read_at(file, most, max(0, status.st_size - most) if position is None else position)
    finally:
        system.close(file)


def _is_own_file(status: "system.stat_result") -> bool:
    mine = not hasattr(system, "getuid") or status.st_uid == system.getuid()
    return mine and status.st_mode & 0o170000 == 0o100000
