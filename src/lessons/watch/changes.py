"""Which files changed: folders to watch, events of the platform, and the queue of files to read."""

import os
import sys
import threading
from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

from lessons.errors import Refused
from lessons.scan import run
from lessons.scan.discover import Root


def roots_of(home: str, agents: Sequence[str], folders: list[str]) -> list[Root]:
    """Returns the given folders, or the transcript folders of the agents; skips missing ones."""
    for folder in folders:
        if not os.path.isdir(folder):
            raise Refused(f"{folder} is not a folder: give a folder with transcripts.")
    found = run.roots_of(home, folders, agents)
    return [root._replace(folder=os.path.realpath(root.folder)) for root in found if os.path.isdir(root.folder)]


class FileQueue:
    """Bounded: drops what does not fit, oldest first; the next check of all files finds it again."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._paths: dict[str, None] = {}  # newest last
        self.has_dropped = False

    def __len__(self) -> int:
        return len(self._paths)

    def put(self, paths: Iterable[str]) -> None:
        """Later paths are newer; a file already queued moves to the front."""
        for path in paths:
            self._paths.pop(path, None)
            self._paths[path] = None
        while len(self._paths) > self._limit:
            del self._paths[next(iter(self._paths))]
            self.has_dropped = True

    def take(self, most: int) -> list[str]:
        """Removes and returns the newest paths, newest first."""
        return [self._paths.popitem()[0] for _ in range(min(most, len(self._paths)))]


_STEP_MILLISECONDS = 250
_DEBOUNCE_MILLISECONDS = 500
# Other machines write to these without events on this one.
_REMOTE = frozenset(
    "nfs nfs4 cifs smb smb3 smbfs 9p afs ceph glusterfs lustre vboxsf vmhgfs drvfs fuse.sshfs fuse.s3fs".split()
)
IsTranscript = Callable[[str], bool]


class Changes(Protocol):
    """Reports which files were written."""

    def wait(self, seconds: float) -> set[str] | None:
        """Returns written files, none after that time; None if all files must be checked."""

    def close(self) -> None:
        """Stops watching."""


class Events:
    """Changes from file system events."""

    def __init__(self, folders: list[str], is_transcript: IsTranscript, stop: threading.Event) -> None:
        """Raises OSError if the platform has no events, or no more of them."""
        from watchfiles._rust_notify import RustNotify, WatchfilesRustInternalError

        try:
            self._notify = RustNotify(folders, False, False, 0, True, True)
        except WatchfilesRustInternalError as fault:
            raise OSError(str(fault)) from None
        self._is_transcript = is_transcript
        self._stop = stop

    def wait(self, seconds: float) -> set[str] | None:
        timeout = max(1, int(seconds * 1000))
        found = self._notify.watch(_DEBOUNCE_MILLISECONDS, _STEP_MILLISECONDS, timeout, self._stop)
        if isinstance(found, set):
            return {path for _, path in found if self._is_transcript(path)}
        return set()

    def close(self) -> None:
        self._notify.close()


class Polling:
    """Checks all files at intervals."""

    def __init__(self, seconds: float, stop: threading.Event) -> None:
        self._seconds = seconds
        self._stop = stop

    def wait(self, seconds: float) -> set[str] | None:
        if self._seconds <= seconds:
            self._stop.wait(self._seconds)
            return None
        self._stop.wait(seconds)
        return set()

    def close(self) -> None:
        pass


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
