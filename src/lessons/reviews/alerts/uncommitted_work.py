"""A session ended with changes that are still not committed."""

from lessons.alert import Alert
from lessons.reviews.alerts.view import Finding, NoData, View
from lessons.store.project_state import handoff as handoffs
from lessons.system import is_alive

ID = "uncommitted-work"


def look(view: View) -> Finding:
    """Counts only changes from the end of the session that git still reports."""
    handoff, state = handoffs.read_latest(view.place), view.latest_session
    if handoff is None or state is None:
        return NoData("no session of this project was saved")
    runs = state.ended_at is None and (state.process == 0 or is_alive(state.process))
    if not handoff.git.uncommitted_count or (runs and state.session_id == handoff.session_id):
        return None
    now = view.uncommitted(view.place.root)
    if now is None:
        return NoData("git does not tell what is committed")
    number = min(now, handoff.git.uncommitted_count)
    if not number:
        return None
    files = f"{number} changed file{'s' * (number != 1)}"
    message = f"The session of {handoff.timestamp[:16].replace('T', ' ')} left {files} uncommitted."
    return Alert(id=ID, severity="info", message=message, action="git status", mark=handoff.timestamp[:10])
