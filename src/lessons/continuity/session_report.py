"""What the state files of a project say about one session."""

import msgspec

from lessons.errors import NotFound
from lessons.session import AutoSave, ContextTracking, Handoff, SessionState
from lessons.store.project_state import handoff as handoffs
from lessons.store.project_state import session_state
from lessons.store.project_state.problems import problems_of
from lessons.store.project_state.state_files import agent_invocations, auto_save, commit_log, context_tracking
from lessons.store.project_state.state_paths import StatePaths


class SessionReport(msgspec.Struct, rename="camel", kw_only=True):
    """For a project without a session only the first fields and the problems are set."""

    root: str
    state_folder: str
    in_project: bool
    session: SessionState | None = None
    context_tracking: ContextTracking | None = None
    auto_save: AutoSave | None = None
    commits: int = 0
    subagents: int = 0
    handoff: Handoff | None = None
    problems: list[str] = []


def session_report(place: StatePaths, session_id: str | None) -> SessionReport:
    """Reports on this session, or on the latest."""
    session = session_state.read_of(place, session_id) if session_id else session_state.read_latest(place)
    report = SessionReport(
        root=place.root,
        state_folder=place.state,
        in_project=place.in_project,
        session=session,
        problems=problems_of(place, session.session_id if session else session_id),
    )
    if session is None and session_id is not None:
        raise NotFound(f"Session {session_id} is in the logs only: see `lessons commits` and `lessons subagents`.")
    if session is None:
        return report
    own = session.session_id
    report.context_tracking = context_tracking.read_or_new(place, own)
    report.auto_save = auto_save.read_or_new(place, own)
    report.commits = sum(each.session_id == own for each in commit_log.read(place))
    report.subagents = sum(each.session_id == own for each in agent_invocations.read(place))
    report.handoff = handoffs.read_of(place, own)
    return report
