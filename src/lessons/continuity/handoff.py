"""Saves what a session was doing, from its transcript, git and the log of lessons; the only way to do that."""

from datetime import datetime

import msgspec

from lessons.continuity.activity import Activity, read_activity
from lessons.continuity.commits import new_commits, state_of, still_there
from lessons.continuity.restore import offer_line
from lessons.continuity.sessions import Permission
from lessons.continuity.words import context_of
from lessons.project_state import AutoSave, CommitShort, Handoff, SavedBy, SessionKey, SessionState, seconds, time_of
from lessons.store import injection_files
from lessons.store.state import begin_session
from lessons.store.state_files import (
    KEPT_LINES,
    agent_invocations,
    auto_save,
    commit_log,
    commit_tracker,
    context_tracking,
    handoffs,
    locked_state,
    session_states,
)
from lessons.store.state_paths import StatePaths

_MOST_FILES_READ = 50
_MOST_COMMITS = 10
_MOST_LESSONS = 20
_SILENT = ("shadow", "allowed", "held-out", "dropped", "muted")
_CLOCK_SECONDS = 60  # a handoff that is newer than this belongs to a clock that was wrong
_LATE_SECONDS = 10


def save_handoff(
    session: SessionKey, transcript: str, saved_by: SavedBy, now: datetime, after_commit: bool = False
) -> Handoff:
    """Everything is derived anew each time, so a save that was killed is made up for by the next one.

    `after_commit`: a call of this session has just committed, which the transcript may not show yet.
    """
    permission = Permission(session)
    permission.require(time_of(now))
    home, root, session_id, agent = session
    paths = StatePaths(home, root)
    activity = read_activity(agent, transcript, root, now, permission.refuses)
    state = _state_of(paths, session, activity.first_time or time_of(now))
    log, tracker = commit_log.read(paths), commit_tracker.read(paths)
    windows = activity.commit_windows(after_commit, now.timestamp())
    made, tracker = new_commits(root, tracker, log, state, windows, now.timestamp())
    made = [each for each in made if not permission.refuses_commit(each.timestamp)]
    log += made
    own = still_there(root, [each for each in log if each.session_id == session_id], log)
    found = Handoff(
        timestamp=time_of(now),
        session=state.session,
        git=state_of(root),
        recent_commits=[CommitShort(hash=each.short_hash, message=each.message) for each in own[-_MOST_COMMITS:]],
        session_id=session_id,
        agent=state.agent,
        saved_by=saved_by,
        lessons=fired(home, session_id, activity.first_time, now)[-_MOST_LESSONS:],
        partial=activity.partial,
    )
    with locked_state(paths) as here:
        permission.require_unchanged()
        commit_log.put(here, made)
        commit_tracker.put(here, tracker)
        before = handoffs.read_of(here, session_id)
        newer = seconds(before.timestamp) - now.timestamp() if before else 0.0
        overtaken = 0 < newer < _CLOCK_SECONDS and saved_by != "session-end"
        # The save of a turn's end may start after that of the session's end: it knows nothing more.
        if before and before.saved_by == "session-end" and saved_by != "session-end":
            overtaken = overtaken or -_LATE_SECONDS < newer <= 0
        if before and (overtaken or activity.unreadable):
            return before  # a save that started later was faster, or knew more
        tracking = activity.tracking(context_tracking.read_or_new(here, session_id), state.started_at)
        context_tracking.put_of(here, session_id, tracking)
        _log_invocations(here, activity, state)
        _add_activity(found, activity, tracking.files_read)
        handoffs.put_of(here, session_id, found)
        saves = auto_save.read_or_new(here, session_id).save_count
        auto_save.put_of(here, session_id, AutoSave(last_save=int(1000 * now.timestamp()), save_count=saves + 1))
        return found


def _add_activity(handoff: Handoff, activity: Activity, files_read: list[str]) -> None:
    handoff.tasks, handoff.questions = activity.tasks(), activity.questions()
    handoff.last_request, handoff.earlier_request = activity.last_request, activity.earlier_request
    handoff.files_read, handoff.files_edited = files_read[-_MOST_FILES_READ:], activity.files_edited()
    handoff.worked, handoff.failed = activity.commands()
    # Background commands end with their session.
    handoff.running = [] if handoff.saved_by == "session-end" else activity.running()
    handoff.context = context_of(handoff)
    handoff.offer = offer_line(msgspec.to_builtins(handoff))


def _state_of(paths: StatePaths, session: SessionKey, began: str) -> SessionState:
    """Returns the session; one without a number (started before the hook, or killed at its start) gets it now."""
    known = session_states.read_of(paths, session.id)
    if known is not None and session_states.read_latest(paths) is not None:
        return known
    return begin_session(paths, session.id, known.started_at if known else began, 0, session.agent)


def _log_invocations(paths: StatePaths, activity: Activity, state: SessionState) -> None:
    """Adds what is not in the log yet; what is older than a log of this length was in it, and was rotated out."""
    log = agent_invocations.read(paths)
    oldest = log[0].timestamp if len(log) >= KEPT_LINES else ""
    new = [each for each in activity.invocations if each.timestamp >= oldest]
    for each in new:
        each.session, each.session_id = state.session, state.session_id
    agent_invocations.put(paths, new)


def fired(home: str, session_id: str, began: str, now: datetime) -> list[str]:
    """Returns the slugs of the lessons that were shown or acted in a session, each once, latest last."""
    if not began or now.timestamp() - seconds(began) < injection_files.SECONDS_UNTIL_DELETED:
        events = [line.event for line in injection_files.unfolded(home)]
    else:
        from lessons.store.history.hook_log import logged  # has older events too, and is slower to open

        events = logged(home)
    found: dict[str, None] = {}
    for event in events:
        slug = event.get("slug")
        if event.get("session") == session_id and isinstance(slug, str) and event.get("decision") not in _SILENT:
            found.pop(slug, None)
            found[slug] = None
    return list(found)
