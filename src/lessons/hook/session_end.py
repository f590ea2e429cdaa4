"""A session that ends in, what it was doing and why it ended kept in the background."""

from lessons.agents.claude_code import wire
from lessons.hook import session_worker

EVENT = "SessionEnd"
_LONGEST_REASON = 100


def answer(payload: dict[str, object], home: str, python: str) -> None:
    reason = wire.text(payload, "reason")[:_LONGEST_REASON] or "other"
    session_worker.start_end(payload, home, python, reason)
