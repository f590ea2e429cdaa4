"""Adds to what the hook did whether each hint reached the model, as far as the history can tell."""

import sqlite3
from collections.abc import Iterable

import msgspec

from lessons.agents.names import plain_id
from lessons.errors import LessonsError
from lessons.store.history.database import for_reading

Event = dict[str, object]

# A context added at a call is recorded with it; one at the start of a session belongs to no call.
_AT_A_CALL = ("PreToolUse", "PostToolUse", "PostToolUseFailure")
# It is unknown whether other agents record what they send.
_RECORDS = "claude-code"
_CONTEXTS = (
    "SELECT h.tool_use_id, h.event FROM json_each(?) AS wanted JOIN hook_contexts h ON h.tool_use_id = wanted.value"
)
# A call that finished drops nothing, as in the agent's `delivery.py`; older clients record nothing.
_DROPPED = (
    "SELECT c.tool_use_id FROM json_each(?) AS wanted JOIN calls c ON c.tool_use_id = wanted.value"
    " WHERE c.outcome IN ('refused', 'cancelled', 'interrupted') AND c.agent = ?"
)


def with_delivery(home: str, events: Iterable[Event]) -> list[Event]:
    """Adds `delivered` to every hint at a call: True, False, or None if the history says nothing about the call.

    The client records what it sends, not what it drops. A call without a record that was rejected or stopped has lost
    its hint. A call that ran gets None, because not every client keeps a record.
    """
    events = list(events)
    names = {_call_of(event) for event in events if _is_hint(event)} - {""}
    sent, dropped = _known(home, names)
    return [{**event, "delivered": _delivered(event, sent, dropped)} if _is_hint(event) else event for event in events]


def _delivered(event: Event, sent: set[tuple[str, str]], dropped: set[str]) -> bool | None:
    if (_call_of(event), str(event.get("event"))) in sent:
        return True
    return False if _call_of(event) in dropped else None


def _is_hint(event: Event) -> bool:
    return event.get("decision") == "hint" and event.get("event") in _AT_A_CALL


def _call_of(event: Event) -> str:
    """Returns the id of the call as the history spells it."""
    given = event.get("toolUseId")
    return plain_id(given).encode(errors="replace").decode() if isinstance(given, str) else ""


def _known(home: str, names: set[str]) -> tuple[set[tuple[str, str]], set[str]]:
    """Returns the sent contexts, each with its call and event, and the calls that were rejected or stopped."""
    if not names:
        return set(), set()
    try:
        with for_reading(home) as connection:
            return sent_and_dropped(connection, names)
    except LessonsError:
        # No history, or an unreadable one: the log is shown without it, and `lessons doctor` reports the problem.
        return set(), set()


def sent_and_dropped(connection: sqlite3.Connection, names: Iterable[str]) -> tuple[set[tuple[str, str]], set[str]]:
    """Returns, of these calls, the sent contexts, each with its call and event, and the calls that lost theirs."""
    wanted = msgspec.json.encode(sorted(set(names) - {""})).decode()
    sent = {(row[0], row[1]) for row in connection.execute(_CONTEXTS, (wanted,))}
    return sent, {row[0] for row in connection.execute(_DROPPED, (wanted, _RECORDS))}
