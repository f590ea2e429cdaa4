"""What the hook did, from its log and the history together, with the calls at which it did it."""

from collections.abc import Callable, Iterable
from typing import TypeVar

from lessons.agents.names import plain_id
from lessons.errors import LessonsError
from lessons.store import injection_files
from lessons.store.history.history import History
from lessons.store.injection_files import Event

_Result = TypeVar("_Result")


def _read(home: str, read: Callable[[History], _Result]) -> _Result | None:
    """Returns None without a readable history: the log is shown alone, and `lessons doctor` reports the problem."""
    try:
        with History.for_reading(home) as history:
            return read(history)
    except LessonsError:
        return None


def called(home: str, tool_use_ids: Iterable[object]) -> dict[str, str]:
    """Returns the command (redacted), else the path, by the given id; leaves out calls that no scan has read."""
    given = {_spelled(each): each for each in tool_use_ids if isinstance(each, str) and each}
    calls = _read(home, lambda history: history.calls.past(sorted(given))) if given else None
    return {given[call.tool_use_id]: call.command or call.path for call in calls or [] if call.command or call.path}


def logged(home: str, newest: int | None = None) -> list[Event]:
    """Returns every event, or so many of the newest; the oldest first."""
    # The files first: a line leaves them only once it is in the history.
    unfolded = {line.key: line.event for line in injection_files.unfolded(home)}
    folded = _read(home, lambda history: history.injections.events(newest)) or []
    known = {key for key, _ in folded}
    events = [event for _, event in folded] + [event for key, event in unfolded.items() if key not in known]
    return sorted(events, key=lambda event: str(event.get("time", "")))[-(newest or 0) :]


def fold(history: History) -> int:
    injection_files.rotate(history.home)
    files = injection_files.rotated(history.home)
    lines = [line for path in files for line in injection_files.lines_of(path)]
    new = 0
    if lines:
        with history.durable_transaction():
            new = history.injections.add(lines)
    injection_files.delete_settled(files)
    return new


# A context added at a call is recorded with it; one at the start of a session belongs to no call.
_AT_A_CALL = ("PreToolUse", "PostToolUse", "PostToolUseFailure")


def with_delivery(home: str, events: Iterable[Event]) -> list[Event]:
    """Adds `delivered` to every hint at a call: True, False, or None if the history says nothing about the call.

    The client records what it sends, not what it drops. A call without a record that was rejected or stopped has lost
    its hint. A call that ran gets None, because not every client keeps a record.
    """
    events = list(events)
    hints = [each.get("decision") == "hint" and each.get("event") in _AT_A_CALL for each in events]
    names = [_spelled(str(each.get("toolUseId") or "")) for each in events]
    wanted = {name for name, is_hint in zip(names, hints, strict=True) if is_hint and name}
    known = _read(home, lambda history: history.injections.delivery(wanted)) if wanted else None
    sent, dropped = known or (set(), set())
    found = []
    for event, name, is_hint in zip(events, names, hints, strict=True):
        has_arrived = True if (name, str(event.get("event"))) in sent else False if name in dropped else None
        found.append({**event, "delivered": has_arrived} if is_hint else event)
    return found


def _spelled(tool_use_id: str) -> str:
    return plain_id(tool_use_id).encode(errors="replace").decode()
