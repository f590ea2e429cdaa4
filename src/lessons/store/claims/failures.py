"""Counts how often the same error occurred recently in a context (session and subagent); stores only digests."""

from lessons.store.claims.claim_files import (
    is_own_folder,
    read,
    safe_name,
    session_folder,
    session_folders,
    writable_folders,
    write,
)
from lessons.store.claims.shown import Context
from lessons.system import system

WINDOW_SECONDS = 20 * 60
_LARGEST_FILE = 32 * 1024
_LONGEST_LINE = 64


class RecentFailures:
    """The recent failures of one context; remembers nothing without a session."""

    def __init__(self, home: str, session: str, agent_id: str, now: float) -> None:
        self._home, self._session, self._agent_id = home, session, agent_id
        self.now = now

    def add(self, error_shape: str) -> int:
        """Returns how often this error occurred within the window, including now; 0 if nothing can be remembered."""
        line = f"{int(self.now)} {_digest(error_shape)}\n".encode()
        for folder in writable_folders(self._home, session_folder(self._session)) if self._session else ():
            file = f"{folder}/{_name(self._agent_id)}"
            if _append(file, line, self.now):
                return len(_times(file, error_shape, self.now))
        return 0

    def first(self, error_shape: str) -> float:
        """Returns when it first occurred within the window; now if it never did."""
        for folder in session_folders(self._home, self._session):
            file = f"{folder}/{_name(self._agent_id)}"
            times = _times(file, error_shape, self.now) if is_own_folder(folder) else []
            if times:
                return min(times)
        return self.now

    def claim(self, error_shape: str) -> bool:
        """Returns True for exactly one of all callers that would report this error in this context."""
        return Context(self._home, self._session, self._agent_id).claim(f"failures:{_digest(error_shape)}", 0)


def _name(agent_id: str) -> str:
    # Beside the folders of the contexts: every file inside those counts as a claim.
    return "failures-agent-" + safe_name(agent_id) if agent_id else "failures"


def _digest(error_shape: str) -> str:
    data = error_shape.encode("utf-8", "surrogatepass") + b"\1"
    return f"{int.from_bytes(data, 'little') % (2**89 - 1):x}"


def _times(path: str, error_shape: str, now: float) -> list[float]:
    digest = _digest(error_shape)
    return [time for time, other in _recent(path, now) if other == digest]


def _recent(path: str, now: float) -> list[tuple[float, str]]:
    """Returns the failures within the window; skips damaged lines."""
    text = (read(path, 2 * _LARGEST_FILE) or b"").decode("ascii", "replace")
    found = []
    for line in text.split("\n"):
        time, _, digest = line.partition(" ")
        # A clock that was set back must not keep old failures permanently.
        if time.isdigit() and len(line) < _LONGEST_LINE and abs(now - int(time)) <= WINDOW_SECONDS:
            found.append((float(time), digest))
    return found


def _append(path: str, line: bytes, now: float) -> bool:
    if _size(path) <= _LARGEST_FILE:
        return write(path, line, system.O_APPEND)
    newest = _recent(path, now)[-_LARGEST_FILE // 2 // _LONGEST_LINE :]
    return write(path, "".join(f"{time:.0f} {digest}\n" for time, digest in newest).encode() + line, system.O_TRUNC)


def _size(path: str) -> int:
    try:
        return system.stat(path).st_size
    except OSError:
        return 0
