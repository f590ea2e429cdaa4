"""Saves the handoff of a session and all related files; the only way to do that."""

from datetime import datetime
from zlib import crc32

from lessons.agents.table import DEFAULT_AGENT
from lessons.continuity.git.commits import new_commits, still_there
from lessons.continuity.git.git import state_of
from lessons.continuity.git.windows import Windows, after_look, windows_of
from lessons.continuity.handoff import compose
from lessons.continuity.permission import Permission
from lessons.continuity.session_follower import NewSinceLast
from lessons.continuity.tracking import tracked
from lessons.continuity.transcript_tail import read_tail
from lessons.session import Commit, ContextTracking, Handoff, SavedBy, SessionState, Work
from lessons.store import injection_files
from lessons.store.lock import locked
from lessons.store.project_state import handoff as handoffs
from lessons.store.project_state import session_state
from lessons.store.project_state.state_files import (
    agent_invocations,
    commit_log,
    commit_tracker,
    context_tracking,
    note_save,
    work_file,
)
from lessons.store.project_state.state_paths import StatePaths
from lessons.store.project_state.timestamps import seconds, time_of
from lessons.system import is_alive

# How long a save waits for another one of the same session: as long as its caller can wait.
_SECONDS: dict[SavedBy, float] = {"pre-compact": 2.0, "stop": 30.0, "session-end": 30.0, "person": 5.0}
_LOCKS = 16
_SILENT = ("shadow", "allowed", "held-out", "dropped", "muted")


def save_handoff(
    home: str,
    root: str,
    session_id: str,
    transcript: str,
    saved_by: SavedBy,
    now: datetime,
    after_commit: bool = False,
    agent: str = DEFAULT_AGENT,
) -> Handoff:
    """Saves everything new since the last time; safe to run again after a kill at any point.

    `after_commit`: a call of this session has just committed, which the transcript may not show yet. Derived data is
    written before `work.json`, whose offset marks it as done; each line has a natural key.
    """
    permission = Permission(home, root, session_id)
    permission.require(time_of(now))
    place = StatePaths(home, root)
    # Two saves of one session at once would miss each other's writes; a few locks serve all sessions.
    with locked(f"{place.own}/keep-{crc32(session_id.encode('utf-8', 'replace')) % _LOCKS}", _SECONDS[saved_by]):
        before = work_file.read_or_new(place, session_id)
        work, new = read_tail(before, transcript, now, place.root, agent, permission.refuses)
        session = _session(place, session_id, agent, work.first_time or time_of(now))
        tracking = _track(place, session_id, work, new)
        _note_agents(place, session, new)
        windows = windows_of(work, after_commit, now.timestamp())
        commits = _note_commits(place, session, windows, now, permission)
        lessons, git = fired(home, session_id, work.first_time, now), state_of(place.root)
        found = compose(work, tracking, git, commits, lessons, session, saved_by, now, new.unreadable)
        handoffs.write(place, found)
        work.commit_windows = after_look(work.commit_windows, now.timestamp())
        work_file.write(place, session_id, work)
        note_save(place, session_id, int(1000 * now.timestamp()))
        return found


def fired(home: str, session_id: str, began: str, now: datetime) -> list[str]:
    """Returns the slugs of the lessons that were shown or acted in a session, each once, latest last."""
    found: dict[str, None] = {}
    for line in _logged(home, now.timestamp() - seconds(began) if began else 0.0):
        slug = line.get("slug")
        if line.get("session") == session_id and isinstance(slug, str) and line.get("decision") not in _SILENT:
            found.pop(slug, None)
            found[slug] = None
    return list(found)


def _logged(home: str, age: float) -> list[injection_files.Event]:
    """Reads the log files, which have recent events; older sessions need the history, which is slower to open."""
    if age < injection_files.SECONDS_UNTIL_DELETED:
        return [line.event for line in injection_files.unfolded(home)]
    from lessons.store.history.logged import logged

    return logged(home)


def _session(place: StatePaths, session_id: str, agent: str, began: str) -> SessionState:
    """Returns the session; one without a number (started before the hook, or killed at its start) gets it now."""
    known = session_state.read_of(place, session_id)
    if known is not None and session_state.read_latest(place) is not None:
        return known
    return session_state.begin(place, session_id, known.started_at if known else began, 0, is_alive, agent)


def _track(place: StatePaths, session_id: str, work: Work, new: NewSinceLast) -> ContextTracking:
    before = context_tracking.read_or_new(place, session_id)
    after = tracked(before, new.moments, int(1000 * seconds(work.last_time)))
    context_tracking.write(place, session_id, after)
    return after


def _note_agents(place: StatePaths, session: SessionState, new: NewSinceLast) -> None:
    for each in new.invocations:
        each.session, each.session_id = session.session, session.session_id
    agent_invocations.add(place, new.invocations)


def _note_commits(
    place: StatePaths, session: SessionState, windows: Windows, now: datetime, permission: Permission
) -> list[Commit]:
    """Writes the log before the mark of how far it goes; returns the commits of this session that still exist."""
    tracker = commit_tracker.read(place)
    commits, reached = new_commits(place.root, tracker, session.started_at, session, windows, now.timestamp())
    commit_log.add(place, [each for each in commits if not permission.refuses_commit(each.timestamp)])
    if reached != tracker:
        commit_tracker.write(place, reached)
    log = commit_log.read(place)
    return still_there(place.root, [each for each in log if each.session_id == session.session_id], log)
