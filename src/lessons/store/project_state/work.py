"""`work.json`: what the transcript of a session has told so far and up to which byte, in and out."""

from lessons.session import Work
from lessons.store.project_state import documents
from lessons.store.project_state.state_lock import locked_state
from lessons.store.project_state.state_paths import Place


def own_file(place: Place, session_id: str) -> str:
    return f"{place.session(session_id)}/work.json"


def read_of(place: Place, session_id: str) -> Work:
    """Nothing read yet where there is no file, or a damaged one: the transcript is then read again."""
    return documents.read(place, own_file(place, session_id), Work) or Work()


def write(place: Place, session_id: str, work: Work) -> None:
    """To be called last of all that was made from it: a kill in between only reads the same bytes again."""
    with locked_state(place) as here:
        documents.write(here, own_file(here, session_id), work)
