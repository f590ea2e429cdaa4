"""The last session of the project ended unexpectedly."""

from lessons.alert import Alert
from lessons.reviews.alerts.view import Finding, NoData, View
from lessons.store.project_state import handoff
from lessons.system import is_alive

ID = "unclean-end"


def look(view: View) -> Finding:
    state = view.latest_session
    if state is None:
        return NoData("no session of this project is known")
    if state.ended_at is None and state.process > 0 and not is_alive(state.process):
        return _alert(view, state.started_at)
    if state.previous and state.previous.unclean_end:
        return _alert(view, state.previous.started_at)
    return None


def _alert(view: View, started_at: str) -> Alert:
    """Names the verb that has something to show: not every session leaves a handoff."""
    action = "lessons handoff list" if handoff.read_latest(view.place) else "lessons session"
    message = f"The session of {started_at[:16].replace('T', ' ')} ended unexpectedly."
    return Alert(id=ID, severity="info", message=message, action=action, mark=started_at)
