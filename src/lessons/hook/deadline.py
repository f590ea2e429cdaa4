"""Runs a function that matches regexes under a time limit, so that no pattern can hang the agent.

The limit is CPU time, so that a busy machine does not suppress a valid lesson. CPython's `re` checks for signals while
it matches. On a system without such a timer, the check at publishing is the only protection.
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
# All slow lessons of a call together; each further one gets half of the rest, so that a valid one still acts.
ALL_LESSONS_SECONDS = 0.2
_LEAST_SECONDS = 0.004


class TooSlow(Exception):
    """Matching took longer than any valid pattern needs."""


class Deadline:
    """The time limit for all lessons of one call."""

    def __init__(self) -> None:
        self._left = ALL_LESSONS_SECONDS
        self._armed = False
        self._usable = hasattr(_signal, "setitimer")
        if self._usable:
            try:
                _signal.signal(_signal.SIGVTALRM, self._ring)
                # A parent may have passed it on blocked.
                _signal.pthread_sigmask(_signal.SIG_UNBLOCK, (_signal.SIGVTALRM,))
            except ValueError:  # not the main thread
                self._usable = False

    def is_over(self) -> bool:
        """Whether slow lessons have used up the total time."""
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
