"""Builds the handoff of a session from its transcript, git and the log of lessons."""

from datetime import datetime

import msgspec

from lessons.continuity.derive.calls import running
from lessons.continuity.offer import offer_line
from lessons.continuity.words import context_of
from lessons.session import Commit, CommitShort, ContextTracking, GitState, Handoff, SavedBy, SessionState, Work
from lessons.store.project_state.timestamps import time_of

_FILES_READ = 50
_COMMITS = 10
_RUNNING = 5
_LESSONS = 20


def compose(
    work: Work,
    tracking: ContextTracking,
    git: GitState,
    commits: list[Commit],
    lessons: list[str],
    session: SessionState,
    saved_by: SavedBy,
    now: datetime,
    unreadable: str = "",
) -> Handoff:
    """`commits` are those of this session, newest last."""
    found = Handoff(
        timestamp=time_of(now),
        session=session.session,
        git=git,
        tasks=work.tasks,
        files_read=tracking.files_read[-_FILES_READ:],
        recent_commits=[CommitShort(hash=each.short_hash, message=each.message) for each in commits[-_COMMITS:]],
        session_id=session.session_id,
        agent=session.agent,
        saved_by=saved_by,
        last_request=work.last_request,
        earlier_request=work.earlier_request,
        files_edited=work.files_edited,
        worked=work.worked,
        failed=work.failed,
        # Background commands end with their session.
        running=[] if saved_by == "session-end" else running(work.open_calls)[-_RUNNING:],
        questions=work.questions,
        lessons=lessons[-_LESSONS:],
        partial=_partial(work, unreadable),
    )
    found.context = context_of(found)
    found.offer = offer_line(msgspec.to_builtins(found))
    return found


def _partial(work: Work, unreadable: str) -> str:
    if unreadable:
        return f"The transcript {unreadable}: this is its state at the last read."
    if not work.skipped:
        return ""
    read, whole = _megabytes(work.offset - work.skipped), _megabytes(work.offset)
    return f"Only {read} of the {whole} of the transcript were read, the latest part: earlier records are missing here."


def _megabytes(size: int) -> str:
    return f"{size / 1e6:,.0f} MB" if size >= 1e6 else f"{size / 1e6:.1f} MB"
