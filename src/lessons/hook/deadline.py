"""A function that matches regexes in, its result or `TooSlow` out: no pattern can hang the agent.

The limit is CPU time, so that a busy machine does not silence a lesson that is in order. CPython's `re` looks for
signals while it matches; where the system has no such timer the probe at publishing is the only net.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    import signal as _signal
    from collections.abc import Callable
    from types import FrameType
else:
    try:
        import _signal
    except ImportError:  # another interpreter
        _signal = None

ONE_LESSON_SECONDS = 0.05
MOST_SLOW_LESSONS = 3


class TooSlow(Exception):
    """Matching took longer than any sound pattern needs."""


class Deadline:
    """Counts what was too slow: after a few such lessons the rest of the call is left unmatched."""

    def __init__(self) -> None:
        self.slow = 0
        self._armed = False
        self._usable = hasattr(_signal, "setitimer")
        if self._usable:
            try:
                _signal.signal(_signal.SIGVTALRM, self._ring)
            except ValueError:  # not the main thread
                self._usable = False

    def run(self, function: "Callable[[], str | None]") -> str | None:
        if not self._usable:
            return function()
        if self.slow >= MOST_SLOW_LESSONS:
            raise TooSlow
        self._armed = True
        _signal.setitimer(_signal.ITIMER_VIRTUAL, ONE_LESSON_SECONDS)
        try:
            return function()
        except TooSlow:
            self.slow += 1
            raise
        finally:
            self._armed = False
            _signal.setitimer(_signal.ITIMER_VIRTUAL, 0)

    def _ring(self, number: int, frame: "FrameType | None") -> None:
        if self._armed:
            raise TooSlow
