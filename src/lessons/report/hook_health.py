"""When the hooks of a data home last ran, and what went wrong in them."""

from datetime import UTC, datetime

from lessons.agents.hook_event import (
    AFTER_CALL,
    AFTER_FAILURE,
    BEFORE_CALL,
    BEFORE_COMPACTION,
    SESSION_END,
    SESSION_START,
    SUBAGENT_START,
    TURN_END,
)
from lessons.report.document import HookHealth, Latency
from lessons.report.texts import one_line
from lessons.store import faults, fired

_MOST_FAULTS = 5
_EVENTS = (
    *(BEFORE_CALL, AFTER_CALL, AFTER_FAILURE, SESSION_START, SUBAGENT_START, BEFORE_COMPACTION, TURN_END, SESSION_END),
)


def hook_health(home: str, latency: Latency | None = None) -> HookHealth:
    moments = {event: fired.last(home, event) for event in _EVENTS}
    lines = faults.read(home)
    return HookHealth(
        last_run={event: minute_of(moment) for event, moment in moments.items() if moment is not None},
        faults=len(lines),
        newest_faults=[one_line(line) for line in lines[: -_MOST_FAULTS - 1 : -1]],
        latency=latency,
    )


def minute_of(seconds: float) -> str:
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%d %H:%M} UTC"
