"""`.auto-save-state.json`: a handoff was saved in, when the last time was and how often out."""

from lessons.session import AutoSave
from lessons.store.project_state.per_session import PerSession
from lessons.store.project_state.state_lock import locked_state
from lessons.store.project_state.state_paths import Place

_FILE = PerSession("auto-save-state.json", AutoSave)
own_file, latest_file = _FILE.own_file, _FILE.latest_file


def read_of(place: Place, session_id: str) -> AutoSave:
    return _FILE.read_of(place, session_id) or AutoSave()


def note_save(place: Place, session_id: str, now_ms: int) -> AutoSave:
    with locked_state(place) as here:
        before = read_of(here, session_id)
        after = AutoSave(last_save=max(before.last_save, now_ms), save_count=before.save_count + 1)
        _FILE.write(here, session_id, after)
        return after
