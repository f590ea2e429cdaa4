"""Runs a function that matches regexes under a time limit, so that no pattern can hang the agent.

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
# All slow lessons of a call together; each further one gets half of what is left, so that a sound one still acts.
ALL_LESSONS_SECONDS = 0.2
_LEAST_SECONDS = 0.004


class TooSlow(Exception):
    """Matching took longer than any sound pattern needs."""


class Deadline:
    """The time that the lessons of one call may take."""

    def __init__(self) -> None:
        self._left = ALL_LESSONS_SECONDS
        self._armed = False
        self._usable = hasattr(_signal, "setitimer")
        if self._usable:
            try:
                _signal.signal(_signal.SIGVTALRM, self._ring)
                # A parent may have handed it down as one that is held back.
                _signal.pthread_sigmask(_signal.SIG_UNBLOCK, (_signal.SIGVTALRM,))
            except ValueError:  # not the main thread
                self._usable = False

    def is_over(self) -> bool:
        """Whether slow lessons have used up the time of all."""
        return self._limit() < _LEAST_SECONDS

    def run(self, function: "Callable[[], str | None]") -> str | None:
        if not self._usable:
            return function()
        limit = self._limit()
        self._armed = True
        _signal.setitimer(_signal.ITIMER_VIRTUAL, limit)
        try:
            return function()
        except TooSlow:
            self._left -= limit
            raise
        finally:
            self._armed = False
            _signal.setitimer(_signal.ITIMER_VIRTUAL, 0)

    def _limit(self) -> float:
        return min(ONE_LESSON_SECONDS, self._left / 2)

    def _ring(self, number: int, frame: "FrameType | None") -> None:
        if self._armed:
            raise TooSlow
