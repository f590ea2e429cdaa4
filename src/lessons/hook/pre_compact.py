"""A context about to be compacted in, what the session was doing kept and plain words for the summariser out."""

from lessons.agents.claude_code import wire
from lessons.continuity.compaction import SUMMARISER_WORDS
from lessons.hook import background, session_worker

EVENT = "PreCompact"
# What takes longer goes on by itself: a compaction must not be held up.
_SECONDS = 2.5


def answer(payload: dict[str, object], home: str, python: str) -> str:
    """Never JSON: all that is printed here becomes part of the summariser's instructions."""
    if wire.text(payload, "agent_id"):
        return SUMMARISER_WORDS  # a subagent's own context: the session's goes on as it is
    status = background.wait_for(session_worker.start_save(payload, home, python, EVENT, "pre-compact"), _SECONDS)
    if status:
        from lessons.store import faults

        faults.record(home, EVENT, "what the session was doing could not be kept: `lessons handoff save` tells why")
    return SUMMARISER_WORDS
