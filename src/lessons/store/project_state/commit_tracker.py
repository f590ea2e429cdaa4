"""`.commit-tracker-state.json`: up to which commit the log of a project is complete, in and out."""

from lessons.session import CommitTracker
from lessons.store.project_state import documents
from lessons.store.project_state.state_lock import locked_state
from lessons.store.project_state.state_paths import Place


def file_of(place: Place) -> str:
    return place.hooks + "/.commit-tracker-state.json"


def read(place: Place) -> CommitTracker:
    return documents.read(place, file_of(place), CommitTracker) or CommitTracker()


def write(place: Place, value: CommitTracker) -> None:
    """To be called when the commits up to there are in the log: a kill in between only looks at them again."""
    with locked_state(place) as here:
        documents.write(here, file_of(here), value)
