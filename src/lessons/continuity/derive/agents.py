"""The call of a subagent in, the line that is kept of it out."""

from lessons.continuity.derive.texts import kept_line, text_at
from lessons.session import AgentInvocation

TOOL = "Agent"
_LONGEST_PROMPT = 100
_LONGEST_NAME = 60
_USUAL = "general-purpose"


def invocation_of(arguments: dict[object, object], tool_use_id: str, time: str) -> AgentInvocation:
    """Which agent was called for what; the session is put in by whoever knows it."""
    return AgentInvocation(
        timestamp=time,
        agent=kept_line(text_at(arguments, "subagent_type"), _LONGEST_NAME) or _USUAL,
        prompt=kept_line(text_at(arguments, "prompt", "description"), _LONGEST_PROMPT + 1)[:_LONGEST_PROMPT],
        tool_use_id=tool_use_id,
    )
