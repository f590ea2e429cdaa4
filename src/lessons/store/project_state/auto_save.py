"""`.auto-save-state.json`: a handoff was saved in, when the last time was and how often out."""

from lessons.session import AutoSave
from lessons.store.project_state import documents
from lessons.store.project_state.place import Place
from lessons.store.project_state.state_lock import locked_state

_NAME = "auto-save-state.json"


def own_file(place: Place, session_id: str) -> str:
    return f"{place.session(session_id)}/{_NAME}"


def latest_file(place: Place) -> str:
    return f"{place.hooks}/.{_NAME}"


def read_of(place: Place, session_id: str) -> AutoSave:
    return documents.read(place, own_file(place, session_id), AutoSave) or AutoSave()


def note_save(place: Place, session_id: str, now_ms: int) -> AutoSave:
    with locked_state(place) as here:
        before = read_of(here, session_id)
        after = AutoSave(last_save=max(before.last_save, now_ms), save_count=before.save_count + 1)
        documents.write(here, own_file(here, session_id), after, latest_file(here))
        return after
