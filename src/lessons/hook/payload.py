"""Reads the payload on stdin: at most so many bytes, for at most so many seconds."""

from lessons.agents.hook_event import LARGEST_PAYLOAD, NOT_EXAMINED
from lessons.store.json_text import decode
from lessons.system import system

TYPE_CHECKING = False
if TYPE_CHECKING:
    import signal as _signal
    from types import FrameType
else:
    try:
        import _signal
    except ImportError:  # another interpreter
        _signal = None

# The client gives a call 5 seconds: the rest of them is for the answer.
SECONDS = 3
_LATE = f"stdin did not end within {SECONDS} s"
# What is too large is read on, so that the client can write all of it, but not without end.
_MOST_BYTES = 128 << 20


class _Late(BaseException):
    """The time is over; not an `Exception`, since it may come anywhere."""


class _Reader:
    """What has come so far; nothing is kept of a payload that is too large."""

    def __init__(self) -> None:
        self.pieces: list[bytes] = []
        self.size = 0
        self.waits = True

    def read(self) -> None:
        while self.size < _MOST_BYTES and (piece := system.read(0, 1 << 16)):
            self.size += len(piece)
            if self.size <= LARGEST_PAYLOAD:
                self.pieces.append(piece)
            else:
                self.pieces.clear()

    def ring(self, number: int, frame: "FrameType | None") -> None:
        if self.waits:
            raise _Late


def read_payload(home: str, event: str) -> dict[str, object] | None:
    """None where it is too large, which is logged; raises ValueError where it is no JSON object."""
    reader = _Reader()
    is_late = _read_in_time(reader)
    if is_late:
        _note(home, event, _LATE)
    if reader.size > LARGEST_PAYLOAD:
        _note(home, event, NOT_EXAMINED)
        return None
    if is_late and not reader.size:
        return None
    value = decode(b"".join(reader.pieces).decode("utf-8", "replace"))
    if not isinstance(value, dict):
        raise ValueError("the payload is not an object")
    return value


def _read_in_time(reader: _Reader) -> bool:
    """Whether the time was over before stdin ended. Where there is no timer, it is waited for."""
    if not hasattr(_signal, "setitimer"):
        reader.read()
        return False
    _signal.signal(_signal.SIGALRM, reader.ring)
    # Like a signal that is ignored, one that is held back may have been handed down by a parent.
    _signal.pthread_sigmask(_signal.SIG_UNBLOCK, (_signal.SIGALRM,))
    _signal.setitimer(_signal.ITIMER_REAL, SECONDS)
    try:
        reader.read()
    except _Late:
        return True
    finally:
        reader.waits = False
        _signal.setitimer(_signal.ITIMER_REAL, 0)
    return False


def _note(home: str, event: str, what: str) -> None:
    from lessons.store import faults

    faults.record(home, event, what)
