"""What may be stored of a session, its start and its end, and what the state files of a project say about it."""

from datetime import datetime

import msgspec

from lessons.agents.base import Line
from lessons.errors import KeptOut, NotFound
from lessons.project_state import AutoSave, ContextTracking, Handoff, SessionKey, SessionState, time_of
from lessons.store.consent import consent_of
from lessons.store.state import begin_session, end_session, problems_of, remove_old_sessions
from lessons.store.state_files import (
    agent_invocations,
    auto_save,
    commit_log,
    context_tracking,
    handoffs,
    session_states,
)
from lessons.store.state_paths import StatePaths, repository_of


class Permission:
    """What may be stored of one session in one project: the user may exclude a project, or forget a session."""

    def __init__(self, session: SessionKey) -> None:
        self._session, self._consent = session, consent_of(session.home)
        self._repositories: dict[str, str] = {}

    def require(self, time: str) -> None:
        """Raises KeptOut if nothing that happens now may be stored."""
        root = self._session.root
        if self._refuses(self._session.id, root, time):
            raise KeptOut(f"Nothing is stored for {root}: it is in excludeProjects, or the session was forgotten.")

    def require_unchanged(self) -> None:
        """Raises KeptOut if the user has excluded or forgotten something meanwhile."""
        if consent_of(self._session.home) != self._consent:
            raise KeptOut("Nothing is stored: what may be stored has changed meanwhile.")

    def refuses(self, line: Line) -> bool:
        """Whether to skip a record of the transcript."""
        return self._refuses(line.session_id or self._session.id, line.cwd or self._session.root, line.time)

    def refuses_commit(self, timestamp: str) -> bool:
        # Whole seconds: a commit in the same second in which the project was forgotten counts as before it.
        return self._refuses("", self._session.root, timestamp.removesuffix("Z"))

    def _refuses(self, session: str, folder: str, time: str) -> bool:
        if not self._consent.is_needed:
            return False
        if folder not in self._repositories:
            self._repositories[folder] = repository_of(folder)
        repository = self._repositories[folder]
        pairs = ((folder, repository), (repository, folder))
        return any(self._consent.refuses(session, project, cwd, time) for project, cwd in pairs)


def begin(session: SessionKey, process: int, at: datetime) -> SessionState:
    """Safe to run again: a resumed session keeps its number. Also cleans up the state of the project."""
    Permission(session).require(time_of(at))
    paths = StatePaths(session.home, session.root)
    state = begin_session(paths, session.id, time_of(at), process, session.agent)
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
