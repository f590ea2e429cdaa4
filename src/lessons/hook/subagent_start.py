"""A subagent that starts in, the short protocol out: its context holds nothing of its parent's."""

from lessons.agents.claude_code import wire
from lessons.inject import protocol

EVENT = "SubagentStart"


def answer(payload: dict[str, object], home: str) -> str | None:
    return wire.context(EVENT, protocol.SHORT)
