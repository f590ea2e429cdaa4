"""When a watcher works, how much at once, and how it stops."""

import signal
import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager

import msgspec

from lessons.config import Config


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
    queue: int = 20_000


def limits_from(settings: Config) -> Limits:
    return Limits(quiet=settings.watch_quiet_seconds, poll=settings.watch_poll_seconds)


# A write up to this far in the future is due to another machine's clock; further away, to a clock that was set back.
_CLOCK_SECONDS = 300.0
_SHORTEST_SLEEP = 0.05


def is_quiet(last_write: float, now: float, wait: float) -> bool:
    """Whether nothing was written for that long; a time far in the future does not delay anything."""
    return not -_CLOCK_SECONDS <= now - last_write < wait


def quiet_sessions(last_writes: Mapping[str, float], now: float, wait: float, unread: Iterable[str] = ()) -> set[str]:
    """Returns the sessions to mine now, without those that have a segment still to read (`unread`)."""
    return {name for name, last in last_writes.items() if is_quiet(last, now, wait)} - set(unread)


def active_sessions(last_writes: Mapping[str, float], now: float, wait: float) -> set[str]:
    return {name for name, last in last_writes.items() if not is_quiet(last, now, wait)}


def next_quiet(last_writes: Mapping[str, float], now: float, wait: float) -> float | None:
    """Returns when the next active session becomes quiet, if nothing more is written."""
    moments = [last + wait for last in last_writes.values() if not is_quiet(last, now, wait)]
    return min(moments, default=None)


def sleep_until(moments: Iterable[float | None], now: float, longest: float) -> float:
    """Returns the seconds until the first of these times; at most `longest`."""
    waits = [moment - now for moment in moments if moment is not None]
    return min(longest, max(_SHORTEST_SLEEP, min(waits, default=longest)))


class Stopped(BaseException):
    """The watcher should end. Not a fault, so code that survives faults must not catch it."""


# Data is stored in transactions: interrupted work is repeated the next time.
_GRACE_SECONDS = 0.5


@contextmanager
def stopped_by_signals(stop: threading.Event) -> Iterator[None]:
    """Handles SIGTERM, SIGINT and SIGHUP; only in the main thread."""

    def ask(number: int, frame: object) -> None:
        stop.set()
        if hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_REAL, _GRACE_SECONDS)

    def break_off(number: int, frame: object) -> None:
        raise Stopped

    handlers: dict[int, object] = {}
    for name, handler in (("SIGTERM", ask), ("SIGINT", ask), ("SIGHUP", ask), ("SIGALRM", break_off)):
        if hasattr(signal, name):
            number = getattr(signal, name)
            handlers[number] = signal.signal(number, handler)
    try:
        yield
    except Stopped:
        pass
    finally:
        if hasattr(signal, "setitimer"):
            signal.setitimer(signal.ITIMER_REAL, 0)
        for number, before in handlers.items():
            signal.signal(number, before)  # type: ignore[arg-type]
