"""`handoff.json`: what a session was doing, in; the latest, that of one session, or all of a project out."""

from lessons.session import Handoff
from lessons.store.project_state import documents, files
from lessons.store.project_state.per_session import PerSession
from lessons.store.project_state.state_lock import locked_state
from lessons.store.project_state.state_paths import Place
from lessons.store.project_state.timestamps import seconds

_FILE = PerSession("handoff.json", Handoff, in_hooks=False)
own_file, latest_file = _FILE.own_file, _FILE.latest_file
read_of, read_latest = _FILE.read_of, _FILE.read_latest


def write(place: Place, handoff: Handoff) -> None:
    with locked_state(place) as here:
        _FILE.write(here, handoff.session_id, handoff)


def all_of(place: Place) -> list[Handoff]:
    """One per session, the newest first."""
    paths = [latest_file(place), *(f"{folder}/{_FILE.name}" for folder in files.session_folders(place))]
    found = [handoff for path in paths if (handoff := documents.read(place, path, Handoff)) is not None]
    # A session's own comes after the latest and takes its place.
    by_session = {handoff.session_id: handoff for handoff in found}
    return sorted(by_session.values(), key=lambda handoff: seconds(handoff.timestamp), reverse=True)
