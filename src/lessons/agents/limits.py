"""What an agent does not support: for `lessons doctor` and docs/AGENTS.md."""

from lessons.agents.hook_event import (
    AFTER_FAILURE,
    BEFORE_CALL,
    BEFORE_COMPACTION,
    SESSION_END,
    SESSION_START,
    SUBAGENT_START,
    TURN_END,
)
from lessons.agents.table import checks_of, wire_of

_WITHOUT = {
    BEFORE_CALL: "Lessons cannot act before a call.",
    AFTER_FAILURE: "No lesson can be shown right after a failed call.",
    SESSION_START: "Nothing can be shown when a session starts, and no handoff is restored.",
    SUBAGENT_START: "Nothing can be shown when a subagent starts.",
    BEFORE_COMPACTION: "What the session was doing is not saved just before a compaction.",
    TURN_END: "What the session was doing is not saved at the end of a turn.",
    SESSION_END: "The end of a session is not detected.",
}


def limits_of(agent: str) -> list[str]:
    """Returns its own `checks.LIMITS`; else a sentence for each event that the agent does not send."""
    if own := getattr(checks_of(agent), "LIMITS", ""):
        return [own]
    sent = set(wire_of(agent).EVENTS.values())
    return [sentence for kind, sentence in _WITHOUT.items() if kind not in sent]
