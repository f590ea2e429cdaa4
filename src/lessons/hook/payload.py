"""Reads the payload from stdin, with a limit on bytes and seconds."""

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

# The client allows 5 seconds per call: the rest is for the answer.
SECONDS = 3
_LATE = f"stdin did not end within {SECONDS} s"
# An oversized payload is still read, so that the client can write all of it, but only up to this limit.
_MOST_BYTES = 128 << 20


class _Late(BaseException):
    """The time is over; not an `Exception`, because it may occur anywhere."""


class _Reader:
    """The input so far; discards a payload that is too large."""

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
    """Returns None if it is too large (logged); raises ValueError if it is not a JSON object."""
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
    """Whether the time ran out before stdin ended. Without a timer it waits until stdin ends."""
    if not hasattr(_signal, "setitimer"):
        reader.read()
        return False
    _signal.signal(_signal.SIGALRM, reader.ring)
    # A parent may have passed the signal on blocked, as well as ignored.
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
