"""Remembers the failed calls of a session: how often the same error occurred, and which wait for a call that fixes it.

Every process reads the whole file and adds at most one line to it, so that parallel calls and a killed process lose
nothing. Texts of calls are masked, errors and words are digests.
"""

from lessons.paths import recovery_file
from lessons.store.claims import Context, folder_of, is_own_folder, own_folder, read, remove, safe_name, write
from lessons.store.json_text import decode, encode
from lessons.system import system

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeAlias

    Line: TypeAlias = "dict[str, Any]"

WINDOW_SECONDS = 20 * 60
_LARGEST_LOG = 32 * 1024
_LONGEST_TIME = 20


class RecentFailures:
    """The recent failures of one context; remembers nothing without a session."""

    def __init__(self, home: str, session: str, agent_id: str, now: float) -> None:
        self._home, self._session, self._agent_id = home, session, agent_id
        self._folder = folder_of(home, session)
        # Beside the folders of the contexts: every file inside those counts as a claim.
        self._file = f"{self._folder}/failures{'-agent-' + safe_name(agent_id) if agent_id else ''}"
        self.now = now

    def add(self, error_shape: str) -> int:
        """Returns how often this error occurred within the window, including now; 0 if nothing can be remembered."""
        line = f"{int(self.now)} {_digest(error_shape)}\n".encode()
        if not self._folder or not own_folder(self._folder):
            return 0
        is_full = len(read(self._file, _LARGEST_LOG + 1) or b"") > _LARGEST_LOG
        is_written = write(self._file, line, system.O_TRUNC if is_full else system.O_APPEND)
        return len(self._times(error_shape)) if is_written else 0

    def first(self, error_shape: str) -> float:
        """Returns when it first occurred within the window; now if it never did."""
        return min(self._times(error_shape) if self._folder else [], default=self.now)

    def claim(self, error_shape: str) -> bool:
        """Returns True for exactly one of all callers that would report this error in this context."""
        return Context(self._home, self._session, self._agent_id).claim(f"failures:{_digest(error_shape)}", 0)

    def _times(self, error_shape: str) -> list[float]:
        """Returns when this error occurred within the window; skips damaged lines."""
        digest = _digest(error_shape)
        text = (read(self._file, 2 * _LARGEST_LOG) or b"").decode("ascii", "replace")
        lines = [line.partition(" ") for line in text.split("\n")]
        found = [time for time, _, other in lines if other == digest and time.isdigit() and len(time) < _LONGEST_TIME]
        # A clock that was set back must not keep old failures permanently.
        return [time for time in map(float, found) if abs(self.now - time) <= WINDOW_SECONDS]


def _digest(error_shape: str) -> str:
    data = error_shape.encode("utf-8", "surrogatepass") + b"\1"
    return f"{int.from_bytes(data, 'little') % (2**89 - 1):x}"


MOST_CALLS = 5  # that may be the fix of a failure, or show whether one was
_LARGEST_WAITING_FILE = 64 * 1024


class WaitingFailure:
    """A failed call, as stored when it failed."""

    __slots__ = (
        "call", "error", "identifier", "kinds", "left", "mistake", "name", "note", "same", "time", "tool", "words",
    )  # fmt: skip

    def __init__(self, line: "Line") -> None:
        self.name: str = line["failed"]
        self.identifier: str = line["id"]  # tool_use_id; empty if the agent gives none
        self.mistake: str = line["mistake"]  # the same for the same error
        self.tool: str = line["tool"]
        self.call: str = line["call"]
        self.error: str = line["error"]
        self.note: str = line["note"]  # where the transcript shows what followed
        self.same: str = line["same"]  # the same for the identical call
        self.time: int = line["time"]  # milliseconds
        self.words: frozenset[int] = frozenset(line["words"])
        self.kinds: frozenset[int] = frozenset(line["kinds"])
        self.left = MOST_CALLS


class Fix:
    """A later call that is like failed ones: their fix, if it works."""

    __slots__ = ("call", "failures", "identifier")

    def __init__(self, line: "Line", failures: "list[WaitingFailure]") -> None:
        self.identifier: str = line["id"]
        self.call: str = line["call"]
        self.failures = failures  # oldest first


class Waiting:
    """What the lines of a session add up to."""

    def __init__(self, lines: "list[Line]") -> None:
        self.failures: dict[str, WaitingFailure] = {}
        self.fixes: dict[str, Fix] = {}  # by the name of the call that is tried
        self._calls: set[str] = set()  # two processes may get the same one
        for line in lines:
            self._take(line)

    def _take(self, line: "Line") -> None:
        if "failed" in line:
            failure = WaitingFailure(line)
            self.failures[failure.name] = failure
        elif "called" in line:
            self._called(line)
        elif "ended" in line:  # a call that failed is no fix
            self.fixes.pop(line["ended"], None)
        elif "settled" in line:
            for name in line["settled"]:
                self._drop(name)
        elif "edited" in line:
            for name in self.untried():
                self._drop(name)

    def _called(self, line: "Line") -> None:
        name = line["called"]
        if name in self._calls:
            return
        self._calls.add(name)
        for failure in self.failures.values():
            failure.left -= 1
        tried = [self.failures[name] for name in line.get("fixes", ()) if name in self.failures]
        if tried:
            self.fixes[name] = Fix(line, tried)
        for failure in tried:
            failure.left = MOST_CALLS
        for failure in [each for each in self.failures.values() if each.left <= 0]:
            self._drop(failure.name)

    def untried(self) -> "list[str]":
        """Returns the names of failures for which no later call is tried."""
        tried = {failure.name for fix in self.fixes.values() for failure in fix.failures}
        return [name for name in self.failures if name not in tried]

    def _drop(self, name: str) -> None:
        self.failures.pop(name, None)
        for call, fix in list(self.fixes.items()):
            fix.failures = [failure for failure in fix.failures if failure.name != name]
            if not fix.failures:
                del self.fixes[call]


def waiting(home: str, session: str) -> Waiting | None:
    """Returns what waits; None if nothing does. Deletes a file of which nothing is left."""
    path = recovery_file(home, session)
    data = read(path, _LARGEST_WAITING_FILE) if path and is_own_folder(path.rpartition("/")[0]) else None
    if data is None:
        return None
    found = None
    if len(data) < _LARGEST_WAITING_FILE:
        try:
            found = Waiting([line for line in map(_decoded, data.split(b"\n")) if line])
        except (KeyError, TypeError, AttributeError):  # of another version: nothing is asked about these failures
            pass
    if found is None or not found.failures:
        remove(path)
        return None
    return found


def _decoded(line: bytes) -> "Any":
    """Returns the content of a line; nothing for one that a crash cut off."""
    try:
        return decode(line.decode())
    except (ValueError, RecursionError):
        return None


def add(home: str, session: str, line: "Line") -> bool:
    """Whether it could be written."""
    path = recovery_file(home, session)
    folder = path.rpartition("/")[0]
    if not path or not (is_own_folder(folder) or (own_folder(f"{home}/seen") and own_folder(folder))):
        return False
    # After the line that a crash cut off begins a new one.
    return write(path, f"\n{encode(line)}\n".encode(), system.O_APPEND)
