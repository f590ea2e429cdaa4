"""When a watcher works, how much at once, and how it stops."""

import signal
import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager

import msgspec

# A write up to this far in the future is due to another machine's clock; further away, to a clock that was set back.
_CLOCK_SECONDS = 300.0
# Data is stored in transactions: interrupted work is repeated the next time. The second limit is for what is done at
# the end, such as an export.
_GRACE_SECONDS, _END_SECONDS = 0.5, 3.0


class Limits(msgspec.Struct, frozen=True):
    """Times are in seconds."""

    quiet: float = 120.0  # without a write, until a session counts as quiet
    poll: float = 2.0  # between two checks of all files, if the platform has no events
    sweep: float = 600.0  # between two checks of all files, because events may get lost
    between_ticks: float = 0.5  # at least, so that many small writes are read together
    heartbeat: float = 60.0
    export: float = 300.0  # minimum time between two exports
    files: int = 50  # read in one tick
    sessions: int = 300  # mined in one tick


def is_quiet(last_write: float, now: float, wait: float) -> bool:
    """Whether nothing was written for that long; a time far in the future does not delay anything."""
    return not -_CLOCK_SECONDS <= now - last_write < wait


def quiet_sessions(last_writes: Mapping[str, float], now: float, wait: float, unread: Iterable[str] = ()) -> set[str]:
    """Returns the sessions to mine now, without those that have a segment still to read (`unread`)."""
    return {name for name, last in last_writes.items() if is_quiet(last, now, wait)} - set(unread)


class Stopped(BaseException):
    """The watcher should end. Not a fault, so code that survives faults must not catch it."""


@contextmanager
def stopped_by_signals(stop: threading.Event) -> Iterator[None]:
    """Handles SIGTERM, SIGINT and SIGHUP; only in the main thread."""

    def ask(number: int, frame: object) -> None:
        stop.set()
        if hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_REAL, _GRACE_SECONDS, _END_SECONDS)

    def break_off(number: int, frame: object) -> None:
        raise Stopped

    for name, handler in (("SIGTERM", ask), ("SIGINT", ask), ("SIGHUP", ask), ("SIGALRM", break_off)):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), handler)
    try:
        yield
    except Stopped:
        pass
    finally:
        if hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_REAL, 0)
