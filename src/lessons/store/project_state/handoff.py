"""`handoff.json`: what a session was doing, in; the latest, that of one session, or all of a project out."""

from lessons.session import Handoff
from lessons.store.project_state import documents, files
from lessons.store.project_state.moments import seconds
from lessons.store.project_state.place import Place
from lessons.store.project_state.state_lock import locked_state

_NAME = "handoff.json"


def own_file(place: Place, session_id: str) -> str:
    return f"{place.session(session_id)}/{_NAME}"


def latest_file(place: Place) -> str:
    return f"{place.state}/{_NAME}"


def read_latest(place: Place) -> Handoff | None:
    """Whichever session saved last."""
    return documents.read(place, latest_file(place), Handoff)


def read_of(place: Place, session_id: str) -> Handoff | None:
    return documents.read(place, own_file(place, session_id), Handoff)


def write(place: Place, handoff: Handoff) -> None:
    with locked_state(place) as here:
        documents.write(here, own_file(here, handoff.session_id), handoff, latest_file(here))


def all_of(place: Place) -> list[Handoff]:
    """One per session, the newest first."""
    paths = [latest_file(place), *(f"{folder}/{_NAME}" for folder in files.session_folders(place))]
    found = [handoff for path in paths if (handoff := documents.read(place, path, Handoff)) is not None]
    # A session's own comes after the latest and takes its place.
    by_session = {handoff.session_id: handoff for handoff in found}
    return sorted(by_session.values(), key=lambda handoff: seconds(handoff.timestamp), reverse=True)
