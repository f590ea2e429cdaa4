"""`.context-tracking-state.json`: which files a session has read since the last reset, in and out."""

from lessons.session import ContextTracking
from lessons.store.project_state import documents
from lessons.store.project_state.place import Place
from lessons.store.project_state.state_lock import locked_state

_NAME = "context-tracking-state.json"


def own_file(place: Place, session_id: str) -> str:
    return f"{place.session(session_id)}/{_NAME}"


def latest_file(place: Place) -> str:
    return f"{place.hooks}/.{_NAME}"


def read_of(place: Place, session_id: str) -> ContextTracking:
    return documents.read(place, own_file(place, session_id), ContextTracking) or ContextTracking()


def write(place: Place, session_id: str, value: ContextTracking) -> None:
    with locked_state(place) as here:
        documents.write(here, own_file(here, session_id), value, latest_file(here))


def note_warned(place: Place, session_id: str) -> None:
    """The person was told that many files were read; until the next reset it is not said again."""
    with locked_state(place) as here:
        value = read_of(here, session_id)
        value.warning_shown = True
        documents.write(here, own_file(here, session_id), value, latest_file(here))
