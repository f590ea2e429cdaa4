"""A call about to run in, what the agent is told (a hint, a stop, a block or nothing) out."""

from lessons.agents.claude_code import wire
from lessons.hook.lookup import matching

EVENT = "PreToolUse"


def answer(
    payload: dict[str, object], home: str, event: str = EVENT, error: str | None = None, shared_as: str = ""
) -> str | None:
    """The same for a call that has failed with an error: that one can only be taught about.

    One that is shared is answered by whoever comes first, the resident server or the command beside it.
    """
    call = wire.tool_call(payload, error)
    if call is None:
        return None
    config, matches = matching(home, event, call)
    if not matches:
        return None
    # Most calls end above: what acts is loaded only now.
    if shared_as:
        from lessons.agents.claude_code.server.answer_claims import claim_call

        if not claim_call(home, call.session, call.tool_use_id, shared_as):
            return None
    from lessons.hook.act import act

    return act(call, home, event, config, matches, wire.text(payload, "transcript_path"))
