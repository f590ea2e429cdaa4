"""Removes sessions that were not used for 60 days, a bounded number at a time."""

import os
from collections.abc import Sequence
from contextlib import suppress

from lessons.session import SessionState
from lessons.store.project_state import documents, session_state, state_files
from lessons.store.project_state.files import is_plain_folder, session_folders
from lessons.store.project_state.state_lock import locked_state
from lessons.store.project_state.state_paths import StatePaths

_OLD_SECONDS = 60 * 24 * 3600
_LEFT_OVER_SECONDS = 24 * 3600
_MOST_REMOVED = 200


def remove(paths: StatePaths, now: float) -> int:
    """Returns how many sessions were removed; also removes half-written files of killed writers."""
    with locked_state(paths) as here:
        for folder in (here.hooks, here.state):
            _remove_left_over(here, folder, now)
        folders = session_folders(here)
        old = [folder for folder in folders if now - _newest(folder) > _OLD_SECONDS]
        # Keeps the highest number, because the next session continues from there.
        kept = {max(folders, key=lambda folder: _number(here, folder), default="")}
        if latest := session_state.read_latest(here):
            kept.add(here.session(latest.session_id))
        return sum(_remove(folder) for folder in [folder for folder in old if folder not in kept][:_MOST_REMOVED])


def _newest(folder: str) -> float:
    try:
        with os.scandir(folder) as entries:
            times = [entry.stat(follow_symlinks=False).st_mtime for entry in entries]
        return max([os.lstat(folder).st_mtime, *times])
    except OSError:
        return float("inf")  # a session is using it


def _number(paths: StatePaths, folder: str) -> int:
    state = documents.read(paths, f"{folder}/session-state.json", SessionState)
    return state.session if state else 0


def _remove(folder: str) -> bool:
    """Removes only our files; a folder with anything else stays."""
    for name in os.listdir(folder):
        if is_ours(name, [file.name for file in state_files.SESSION_FILES]):
            with suppress(OSError):
                os.unlink(f"{folder}/{name}")
    try:
        os.rmdir(folder)
    except OSError:
        return False
    return True


def _remove_left_over(paths: StatePaths, folder: str, now: float) -> None:
    names = os.listdir(folder) if is_plain_folder(folder) else []
    known = [os.path.basename(path) for path in (*state_files.documents_of(paths), *state_files.logs_of(paths))]
    for name in names:
        path = f"{folder}/{name}"
        with suppress(OSError):
            if _is_half_written(name, known) and now - os.lstat(path).st_mtime > _LEFT_OVER_SECONDS:
                os.unlink(path)


def is_ours(name: str, known: Sequence[str]) -> bool:
    """Whether it is one of the known names, or a set-aside or half-written version of such a file."""
    return name in known or name.partition(".damaged-")[0] in known or _is_half_written(name, known)


def _is_half_written(name: str, known: Sequence[str]) -> bool:
    """Whether store/atomic gives this name to a file before it replaces the real one."""
    return name.endswith(".tmp") and any(name.startswith(f".{each}.") for each in known)
