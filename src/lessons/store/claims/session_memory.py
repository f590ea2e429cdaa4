"""Clears the memory of a session, or re-arms it after a compaction."""

from lessons.store.claims.claim_files import (
    PRIORITY_BYTES,
    SESSION_PREFIX,
    context_folder,
    modified_at,
    names_in,
    read,
    remove,
    root_folders,
    session_folders,
)
from lessons.system import system

_FORGET_AFTER_SECONDS = 14 * 24 * 3600
_MOST_SESSIONS_AT_ONCE = 200


def forget_session(home: str, session: str) -> None:
    """Clears every context of the session."""
    for folder in session_folders(home, session):
        clear(folder)


def rearm_above(home: str, session: str, threshold: int, agent_id: str = "") -> None:
    """Lets lessons above this priority be shown again in a context (subagent or main) after a compaction."""
    for folder in session_folders(home, session):
        context = f"{folder}/{context_folder(agent_id)}"
        for name in names_in(context):
            if _priority_in(f"{context}/{name}") > threshold:
                remove(f"{context}/{name}")


def forget_old_sessions(home: str, now: float) -> None:
    """Deletes the memory of sessions that were not used for two weeks; a bounded number at a time."""
    for root in root_folders(home):
        sessions = [name for name in names_in(root) if name.startswith(SESSION_PREFIX)]
        for folder in (f"{root}/{name}" for name in sessions[:_MOST_SESSIONS_AT_ONCE]):
            # Events in a context change the time of its own folder, not of the session's.
            newest = max(modified_at(path) for path in (folder, *(f"{folder}/{part}" for part in names_in(folder))))
            if now - newest > _FORGET_AFTER_SECONDS:
                clear(folder)


def clear(folder: str) -> None:
    """Deletes the folder of a session."""
    for part in names_in(folder):
        for name in names_in(f"{folder}/{part}"):
            remove(f"{folder}/{part}/{name}")
        try:
            system.rmdir(f"{folder}/{part}")
        except OSError:
            remove(f"{folder}/{part}")
    try:
        system.rmdir(folder)
    except OSError:
        pass


def _priority_in(path: str) -> int:
    try:
        return int(read(path, PRIORITY_BYTES) or b"0")
    except ValueError:
        return 0
