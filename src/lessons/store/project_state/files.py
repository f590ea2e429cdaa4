"""Reads and writes the bytes of a state file; follows no link and never waits for a pipe."""

import os
import stat
from datetime import UTC, datetime
from itertools import count, islice

from lessons.store import atomic, faults
from lessons.store.private_folder import make_private_folders
from lessons.store.project_state.state_paths import StatePaths

MOST_BYTES = 64 * 1024 * 1024
_MOST_SESSIONS = 5000
# Does not wait for a pipe or follow a link.
_CAREFULLY = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


class Damaged(Exception):
    """The path exists but is not the file it should be; the text says what it is."""


def read(paths: StatePaths, path: str) -> bytes | None:
    """Returns None if there is no such file."""
    for folder in _folders(paths, path):
        if os.path.lexists(folder) and not is_plain_folder(folder):
            raise Damaged(f"is in {folder}, which is no plain folder")
    try:
        if os.path.islink(path):
            raise Damaged("is a link")
        descriptor = os.open(path, _CAREFULLY)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise Damaged(f"cannot be read ({error.strerror})") from None
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise Damaged("is not a regular file")
        with open(descriptor, "rb", closefd=False) as file:
            content = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise Damaged(f"cannot be read ({error.strerror})") from None
    finally:
        os.close(descriptor)
    if len(content) > MOST_BYTES:
        raise Damaged(f"is larger than {MOST_BYTES // 1024 // 1024} MB")
    return content


def make_folders(paths: StatePaths, path: str) -> None:
    """Creates the folders of the file; sets aside anything in their place. The caller holds the lock."""
    for folder in _folders(paths, path):
        if is_plain_folder(folder):
            continue
        if os.path.lexists(folder):
            set_aside(paths, folder, "is no plain folder")
        if paths.in_project:
            os.makedirs(folder, exist_ok=True)
        else:
            make_private_folders(folder)


def put(paths: StatePaths, path: str, content: bytes) -> None:
    """Writes the whole file in one step. The caller holds the lock and has set aside a damaged file."""
    make_folders(paths, path)
    atomic.write_bytes(path, content, mode_for(paths))


def set_aside(paths: StatePaths, path: str, reason: str) -> None:
    """Renames what is there (a link, not its target) and reports it. The caller holds the lock."""
    base = f"{path}.damaged-{datetime.now(UTC):%Y%m%dT%H%M%SZ}"
    aside = next(
        name for number in count(1) if not os.path.lexists(name := base if number == 1 else f"{base}-{number}")
    )
    os.rename(path, aside)
    faults.record(paths.home, "state", f"{path} {reason}: set aside as {os.path.basename(aside)}")


def mode_for(paths: StatePaths) -> int:
    """Returns a private mode in the data home; in the project that of the user's other files there."""
    if not paths.in_project:
        return 0o600
    mask = os.umask(0o077)
    os.umask(mask)
    return 0o666 & ~mask


def is_plain_folder(path: str) -> bool:
    try:
        return stat.S_ISDIR(os.lstat(path).st_mode)
    except OSError:
        return False


def session_folders(paths: StatePaths) -> list[str]:
    """Returns the folders of all sessions with files here."""
    folder = sessions_folder(paths)
    if not is_plain_folder(folder):
        return []
    with os.scandir(folder) as entries:
        found = [entry.path for entry in islice(entries, _MOST_SESSIONS) if entry.is_dir(follow_symlinks=False)]
    return sorted(path for path in found if ".damaged-" not in os.path.basename(path))


def sessions_folder(paths: StatePaths) -> str:
    return paths.state + "/sessions"


def _folders(paths: StatePaths, path: str) -> list[str]:
    """Returns the folders in which a repository or an accident may have put something else, outermost first."""
    if path.startswith(paths.hooks + "/"):
        return [paths.hooks]
    sessions = sessions_folder(paths)
    return [paths.state, sessions, os.path.dirname(path)] if path.startswith(sessions + "/") else [paths.state]
