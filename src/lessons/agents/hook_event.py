"""The input and answer of a hook, independent of the agent; an agent's `wire` reads the one and writes the other.

`wire.py` of an agent has four names: `EVENTS`, its own event names, each with its kind; `HINTS_AT`, BEFORE_CALL or
AFTER_CALL, the event at which text about a call reaches the model; `parse(name, payload)`, the event in a payload, or
None if there is nothing to do; and `render(event, answer)`, what the agent reads on stdout.

`sender(payload)` is optional, for an agent whose settings others read too: the name of the agent that sent a payload.
That agent's `hook_in_settings.in_settings(name)` says whether it has its own hook, which then answers alone.

If hints come after the call, `parse` gives the events AFTER_CALL and AFTER_FAILURE a `call`; calls are still denied
before they run.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Protocol

    from lessons.match.call import ToolCall

    class Wire(Protocol):
        """The hot module `wire` of an agent."""

        @property
        def EVENTS(self) -> Mapping[str, str]: ...  # noqa: N802
        @property
        def HINTS_AT(self) -> str: ...  # noqa: N802
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
        call: "ToolCall | None" = None,
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
