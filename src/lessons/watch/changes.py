"""Which files changed: folders to watch, and events of the platform or polling."""

import os
import sys
import threading
from collections.abc import Iterable, Sequence

from lessons.errors import Refused
from lessons.scan import run
from lessons.scan.discover import Root, agents_of

_STEP_MILLISECONDS = 250
_DEBOUNCE_MILLISECONDS = 500
# Other machines write to these without events on this one.
_REMOTE = frozenset(
    "nfs nfs4 cifs smb smb3 smbfs 9p afs ceph glusterfs lustre vboxsf vmhgfs drvfs fuse.sshfs fuse.s3fs".split()
)


def roots_of(home: str, agents: Sequence[str], folders: list[str]) -> list[Root]:
    """Returns the given folders, or the transcript folders of the agents; skips missing ones."""
    for folder in folders:
        if not os.path.isdir(folder):
            raise Refused(f"{folder} is not a folder: give a folder with transcripts.")
    found = run.roots_of(home, folders, agents)
    return [root._replace(folder=os.path.realpath(root.folder)) for root in found if os.path.isdir(root.folder)]


class Events:
    """Changes from file system events."""

    mode = "events"

    def __init__(self, roots: list[Root], stop: threading.Event) -> None:
        """Raises OSError if the platform has no events, or no more of them."""
        from watchfiles._rust_notify import RustNotify, WatchfilesRustInternalError

        try:
            self._notify = RustNotify([root.folder for root in roots], False, False, 0, True, True)
        except WatchfilesRustInternalError as fault:
            raise OSError(str(fault)) from None
        self._roots = roots
        self._stop = stop

    def wait(self, seconds: float) -> set[str] | None:
        """Returns the transcripts that were written, none after that time."""
        timeout = max(1, int(seconds * 1000))
        found = self._notify.watch(_DEBOUNCE_MILLISECONDS, _STEP_MILLISECONDS, timeout, self._stop)
        return {path for _, path in found if agents_of(path, self._roots)} if isinstance(found, set) else set()

    def close(self) -> None:
        self._notify.close()


class Polling:
    """Asks for a check of all files at intervals."""

    mode = "polling"

    def __init__(self, seconds: float, stop: threading.Event) -> None:
        self._seconds = seconds
        self._stop = stop

    def wait(self, seconds: float) -> set[str] | None:
        """Returns None if all files must be checked."""
        is_due = self._seconds <= seconds
        self._stop.wait(self._seconds if is_due else seconds)
        return None if is_due else set()

    def close(self) -> None:
        """Nothing is open."""


def is_remote(folder: str, mounts: str = "/proc/mounts") -> bool:
    """Whether the folder is on a network file system, if that can be detected."""
    if not sys.platform.startswith("linux"):
        return False
    try:
        with open(mounts, encoding="utf-8", errors="replace") as file:
            rows = [line.split(" ")[1:3] for line in file if line.count(" ") >= 3]
    except OSError:
        return False
    place = os.path.join(os.path.realpath(folder), "")
    inside = [(point, kind) for point, kind in rows if place.startswith(os.path.join(point, ""))]
    return bool(inside) and max(inside, key=lambda row: len(row[0]))[1] in _REMOTE


def wants_polling(mode: str, folders: Iterable[str]) -> bool:
    return mode == "polling" or (mode == "auto" and any(map(is_remote, folders)))
