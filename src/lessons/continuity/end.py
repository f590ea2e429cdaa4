"""Records that a session ended, and saves its last handoff."""

from datetime import datetime

from lessons.agents.table import DEFAULT_AGENT
from lessons.continuity.permission import Permission
from lessons.store.project_state import session_state
from lessons.store.project_state.state_paths import StatePaths
from lessons.store.project_state.timestamps import time_of


def end(
    home: str,
    root: str,
    session_id: str,
    transcript: str,
    at: datetime,
    reason: str,
    now: datetime,
    agent: str = DEFAULT_AGENT,
) -> None:
    """Records the end even if the handoff fails; without a transcript no handoff is saved."""
    Permission(home, root, session_id).require(time_of(at))
    place = StatePaths(home, root)
    # Before a save that may take long: the next session checks how this one ended.
    is_known = session_state.read_of(place, session_id) is not None
    if is_known:
        session_state.end(place, session_id, time_of(at), reason)
    try:
        if transcript:
            from lessons.continuity.save_handoff import save_handoff

            save_handoff(home, root, session_id, transcript, "session-end", now, agent=agent)
    finally:
        if not is_known:
            session_state.end(place, session_id, time_of(at), reason)
