"""The whole log of the hook: what a scan has folded into the history, and what is still in its files."""

from lessons.errors import LessonsError
from lessons.store import injection_files
from lessons.store.history.history import History
from lessons.store.injection_files import Event


def logged(home: str) -> list[Event]:
    """Returns every event, oldest first."""
    # The files first: a line leaves them only once it is in the history.
    unfolded = {line.key: line.event for line in injection_files.unfolded(home)}
    folded = _folded(home)
    known = {key for key, _ in folded}
    events = [event for _, event in folded] + [event for key, event in unfolded.items() if key not in known]
    return sorted(events, key=lambda event: str(event.get("time", "")))


def _folded(home: str) -> list[tuple[int, Event]]:
    try:
        with History.for_reading(home) as history:
            return history.injections.events()
    except LessonsError:
        # No history, or an unreadable one: `lessons doctor` reports the problem.
        return []
