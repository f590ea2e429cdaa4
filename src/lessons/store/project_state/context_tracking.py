"""`.context-tracking-state.json`: which files a session has read since the last reset, in and out."""

from lessons.session import ContextTracking
from lessons.store.project_state.per_session import PerSession
from lessons.store.project_state.state_lock import locked_state
from lessons.store.project_state.state_paths import Place

_FILE = PerSession("context-tracking-state.json", ContextTracking)
own_file, latest_file = _FILE.own_file, _FILE.latest_file


def read_of(place: Place, session_id: str) -> ContextTracking:
    return _FILE.read_of(place, session_id) or ContextTracking()


def write(place: Place, session_id: str, value: ContextTracking) -> None:
    with locked_state(place) as here:
        _FILE.write(here, session_id, value)


def note_warned(place: Place, session_id: str) -> None:
    """The person was told that many files were read; until the next reset it is not said again."""
    with locked_state(place) as here:
        value = read_of(here, session_id)
        value.warning_shown = True
        _FILE.write(here, session_id, value)
