"""The stored record of a subagent's start."""

from lessons.agents.actions import StartAgent
from lessons.continuity.derive.texts import kept_line
from lessons.session import AgentInvocation

_PROMPT_LENGTH = 100
_NAME_LENGTH = 60
_DEFAULT_KIND = "general-purpose"


def invocation_of(action: StartAgent, tool_use_id: str, time: str) -> AgentInvocation:
    """Returns which agent was called for what; the caller adds the session."""
    return AgentInvocation(
        timestamp=time,
        agent=kept_line(action.kind, _NAME_LENGTH) or _DEFAULT_KIND,
        prompt=kept_line(action.prompt, _PROMPT_LENGTH + 1)[:_PROMPT_LENGTH],
        tool_use_id=tool_use_id,
    )
