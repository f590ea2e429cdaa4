"""Before a compaction: saves what the session was doing, and tells the summariser what to keep."""

from lessons.agents.hook_event import Answer
from lessons.continuity.compaction import SUMMARISER_WORDS
from lessons.hook import background, session_worker

TYPE_CHECKING = False
if TYPE_CHECKING:
    from lessons.agents.hook_event import HookEvent

# Slower work continues in the background: a compaction must not wait longer.
_WAIT_SECONDS = 2.5


def answer(event: "HookEvent", home: str, python: str = "") -> Answer:
    # A subagent's own context is compacted: the context of the session stays unchanged.
    if not event.agent_id:
        _save(event, home, python)
    return Answer(context=SUMMARISER_WORDS)


def _save(event: "HookEvent", home: str, python: str) -> None:
    if background.wait_for(session_worker.spawn_save(event, home, python, "pre-compact"), _WAIT_SECONDS):
        from lessons.store import faults

        faults.record(
            home, event.kind, "what the session was doing could not be kept: `lessons handoff save` tells why"
        )
