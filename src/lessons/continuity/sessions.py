"""Records that a session starts and ends, and reports what the state files of a project say about it."""

from datetime import datetime

import msgspec

from lessons.continuity.permission import Permission
from lessons.errors import NotFound
from lessons.project_state import AutoSave, ContextTracking, Handoff, SessionKey, SessionState, time_of
from lessons.store.state import begin_session, end_session, move_deprecated, problems_of, remove_old_sessions
from lessons.store.state_files import (
    agent_invocations,
    auto_save,
    commit_log,
    context_tracking,
    handoffs,
    session_states,
)
from lessons.store.state_paths import StatePaths


def begin(session: SessionKey, process: int, at: datetime) -> SessionState:
    """Safe to run again: a resumed session keeps its number. Also cleans up the state of the project."""
    Permission(session).require(time_of(at))
    paths = StatePaths(session.home, session.root)
    state = begin_session(paths, session.id, time_of(at), process, session.agent)
    move_deprecated(paths)
    remove_old_sessions(paths, at.timestamp())
    return state


def end(session: SessionKey, transcript: str, at: datetime, reason: str, now: datetime) -> None:
    """Records the end even if its last handoff fails; without a transcript no handoff is saved."""
    Permission(session).require(time_of(at))
    paths = StatePaths(session.home, session.root)
    # Before a save that may take long: the next session checks how this one ended.
    is_known = session_states.read_of(paths, session.id) is not None
    if is_known:
        end_session(paths, session.id, time_of(at), reason)
    try:
        if transcript:
            from lessons.continuity.handoff import save_handoff

            save_handoff(session, transcript, "session-end", now)
    finally:
        if not is_known:
            end_session(paths, session.id, time_of(at), reason)


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


def session_report(paths: StatePaths, session_id: str | None) -> SessionReport:
    """Reports on this session, or on the latest."""
    session = session_states.read_of(paths, session_id) if session_id else session_states.read_latest(paths)
    report = SessionReport(
        root=paths.root,
        state_folder=paths.state,
        in_project=paths.in_project,
        session=session,
        problems=problems_of(paths, session.session_id if session else session_id),
    )
    if session is None and session_id is not None:
        raise NotFound(f"Session {session_id} is in the logs only: see `lessons commits` and `lessons subagents`.")
    if session is not None:
        own = session.session_id
        report.context_tracking = context_tracking.read_or_new(paths, own)
        report.auto_save = auto_save.read_or_new(paths, own)
        report.commits = sum(each.session_id == own for each in commit_log.read(paths))
        report.subagents = sum(each.session_id == own for each in agent_invocations.read(paths))
        report.handoff = handoffs.read_of(paths, own)
    return report
