"""The call of a subagent in, the line that is kept of it out."""

from lessons.agents.actions import StartAgent
from lessons.continuity.derive.texts import kept_line
from lessons.session import AgentInvocation

_LONGEST_PROMPT = 100
_LONGEST_NAME = 60
_USUAL = "general-purpose"


def invocation_of(action: StartAgent, tool_use_id: str, time: str) -> AgentInvocation:
    """Which agent was called for what; the session is put in by whoever knows it."""
    return AgentInvocation(
        timestamp=time,
        agent=kept_line(action.kind, _LONGEST_NAME) or _USUAL,
        prompt=kept_line(action.prompt, _LONGEST_PROMPT + 1)[:_LONGEST_PROMPT],
        tool_use_id=tool_use_id,
    )
