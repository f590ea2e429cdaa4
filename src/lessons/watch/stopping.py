"""Stops a watcher cleanly: the first signal asks it to stop; soon after, current work is interrupted."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from lessons.watch.tick import Stopped

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
