"""Reports written transcripts, by file system events or by polling."""

import os
import sys
import threading
from collections.abc import Callable, Iterable
from typing import Protocol

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
