"""Records that a session starts: gives it a number, and cleans up the state of its project."""

from datetime import datetime

from lessons.agents.table import DEFAULT_AGENT
from lessons.continuity.permission import Permission
from lessons.session import SessionState
from lessons.store.project_state import deprecated, old_sessions, session_state
from lessons.store.project_state.state_paths import StatePaths
from lessons.store.project_state.timestamps import time_of
from lessons.system import is_alive


def begin(
    home: str, root: str, session_id: str, process: int, at: datetime, agent: str = DEFAULT_AGENT
) -> SessionState:
    """Safe to run again: a resumed session keeps its number."""
    Permission(home, root, session_id).require(time_of(at))
    place = StatePaths(home, root)
    state = session_state.begin(place, session_id, time_of(at), process, is_alive, agent)
    deprecated.clean_up(place)
    old_sessions.remove(place, at.timestamp())
    return state
