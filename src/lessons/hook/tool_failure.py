"""A call that has failed in, the lessons about its error out, at once."""

from lessons.agents.claude_code import wire
from lessons.hook import pre_tool_use

EVENT = "PostToolUseFailure"


def answer(payload: dict[str, object], home: str) -> str | None:
    error = wire.text(payload, "error")
    if not error or payload.get("is_interrupt") is True:
        return None
    return pre_tool_use.answer(payload, home, EVENT, error)
