"""`handoff.json`: what a session was doing; reads the latest, that of one session, or all of a project."""

from lessons.session import Handoff
from lessons.store.project_state.state_files import handoffs
from lessons.store.project_state.state_paths import StatePaths
from lessons.store.project_state.timestamps import seconds

own_file, latest_file = handoffs.own_file, handoffs.latest_file
read_of, read_latest = handoffs.read_of, handoffs.read_latest


def write(paths: StatePaths, handoff: Handoff) -> None:
    handoffs.write(paths, handoff.session_id, handoff)


def all_of(paths: StatePaths) -> list[Handoff]:
    """Returns one per session, newest first."""
    latest = read_latest(paths)
    found = [*([latest] if latest else []), *handoffs.read_all(paths)]
    # A session's own handoff comes after the latest and replaces it.
    by_session = {handoff.session_id: handoff for handoff in found}
    return sorted(by_session.values(), key=lambda handoff: seconds(handoff.timestamp), reverse=True)
