"""A call about to run in, what the agent is told (a hint, a stop, a block or nothing) out."""

from lessons.agents.claude_code import wire
from lessons.hook.lookup import matching

EVENT = "PreToolUse"


def answer(payload: dict[str, object], home: str, event: str = EVENT, error: str | None = None) -> str | None:
    """The same for a call that has failed with an error: that one can only be taught about."""
    call = wire.tool_call(payload, error)
    if call is None:
        return None
    config, matches = matching(home, event, call)
    if not matches:
        return None
    # Most calls end above: what acts is loaded only now.
    from lessons.hook.act import act

    return act(call, home, event, config, matches)
