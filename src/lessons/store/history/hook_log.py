"""What the hook did, from its log and the history together, with the calls at which it did it."""

from collections.abc import Iterable

from lessons.agents.names import plain_id
from lessons.errors import LessonsError
from lessons.store import injection_files
from lessons.store.history.database import as_json, for_reading
from lessons.store.history.history import History
from lessons.store.history.injections import sent_and_dropped
from lessons.store.injection_files import Event

_CALLS = (
    "SELECT c.tool_use_id, c.command, c.path FROM json_each(?) AS wanted JOIN calls c ON c.tool_use_id = wanted.value"
)


def called(home: str, tool_use_ids: Iterable[object]) -> dict[str, str]:
    """Returns the command (redacted), else the path, by the given id; leaves out calls that no scan has read."""
    given = {_spelled(each): each for each in tool_use_ids if isinstance(each, str) and each}
    if not given:
        return {}
    wanted = as_json(sorted(given))
    try:
        with for_reading(home) as connection:
            rows = connection.execute(_CALLS, (wanted,)).fetchall()
    except LessonsError:
        # No history, or an unreadable one: the log is shown without it, and `lessons doctor` reports the problem.
        return {}
    return {given[name]: command or path for name, command, path in rows if command or path}


def logged(home: str) -> list[Event]:
    """Returns every event, oldest first."""
    # The files first: a line leaves them only once it is in the history.
    unfolded = {line.key: line.event for line in injection_files.unfolded(home)}
    folded = _folded(home)
    known = {key for key, _ in folded}
    events = [event for _, event in folded] + [event for key, event in unfolded.items() if key not in known]
    return sorted(events, key=lambda event: str(event.get("time", "")))


def fold(history: History) -> int:
    """Moves the hook's log into the history; returns how many lines are new."""
    injection_files.rotate(history.home)
    files = injection_files.rotated(history.home)
    lines = [line for path in files for line in injection_files.lines_of(path)]
    new = 0
    if lines:
        with history.durable_transaction():
            new = history.injections.add(lines)
    injection_files.delete_settled(files)
    return new


def _folded(home: str) -> list[tuple[int, Event]]:
    try:
        with History.for_reading(home) as history:
            return history.injections.events()
    except LessonsError:
        # No history, or an unreadable one: `lessons doctor` reports the problem.
        return []


# A context added at a call is recorded with it; one at the start of a session belongs to no call.
_AT_A_CALL = ("PreToolUse", "PostToolUse", "PostToolUseFailure")


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
    given = event.get("toolUseId")
    return _spelled(given) if isinstance(given, str) else ""


def _spelled(tool_use_id: str) -> str:
    """Returns the id of a call as the history spells it."""
    return plain_id(tool_use_id).encode(errors="replace").decode()


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
