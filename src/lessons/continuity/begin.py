"""A session that begins in, its number in the project out, with the project's state put in order on the way."""

from datetime import datetime

from lessons.continuity.handoff import time_of
from lessons.continuity.process import is_alive
from lessons.session import SessionState
from lessons.store.project_state import deprecated, old_sessions, session_state
from lessons.store.project_state.place import place_of


def begin(home: str, cwd: str, session_id: str, process: int, now: datetime) -> SessionState:
    """Doing it again, as a resumed session does, changes no number."""
    place = place_of(home, cwd)
    state = session_state.begin(place, session_id, time_of(now), process, is_alive)
    deprecated.clean_up(place)
    old_sessions.remove(place, now.timestamp())
    return state
