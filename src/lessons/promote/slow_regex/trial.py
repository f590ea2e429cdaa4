"""Times a regex on hostile texts; returns one sentence about the kind that takes too long."""

import math
import re
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from lessons.promote.regex_tree import tree_of
from lessons.promote.slow_regex.hostile import Shape, can_be_slow, shapes

# A regex of this length may be slow just by its number of alternatives.
_LONG_SOURCE = 400
_SHORT_TEXT = 200
_MIDDLE_TEXT = 2 * _SHORT_TEXT
# Linear time stays below this in a short text; quadratic time does not.
_SUSPICIOUS_SECONDS = 0.000_02
_TRIED_AT_FULL_LENGTH = 2
_MORE_TRIES = 2

# Searches a text of this shape and about this length; returns its processor time, infinite if it was stopped.
Clock = Callable[[re.Pattern[str], Shape, int], float]


class _OutOfTime(Exception):
    """Raised by the timer to end a search."""


def judge(source: str, flags: int, limit: float, clock: Clock) -> str | None:
    """Tests every shape as a short text first, then the slowest ones at the length of a long command."""
    compiled = re.compile(source, flags)
    try:
        tree = tree_of(source, flags)
        if not can_be_slow(tree) and len(source) < _LONG_SOURCE:
            return None
        candidates = shapes(tree)
    except RecursionError:
        return "It is nested too deeply to be tried out."
    timed: dict[str, tuple[float, Shape]] = {}
    for shape in candidates:
        seconds = _quickest(compiled, shape, _SHORT_TEXT, limit, clock)
        if seconds > limit or (
            seconds > limit / 10 and _quickest(compiled, shape, shape.longest, limit, clock) > limit
        ):
            return sentence(str(shape), limit)
        timed[shape.pump] = max((seconds, shape), timed.get(shape.pump, (0.0, shape)))
    for seconds, shape in sorted(timed.values(), reverse=True)[:_TRIED_AT_FULL_LENGTH]:
        if (
            _may_be_slow_when_long(compiled, shape, seconds, limit, clock)
            and _quickest(compiled, shape, shape.longest, limit, clock) > limit
        ):
            return sentence(str(shape), limit)
    return None


def _quickest(compiled: re.Pattern[str], shape: Shape, length: int, limit: float, clock: Clock) -> float:
    """Returns the time of one search; repeats one just above the limit, because noise only makes a search slower."""
    seconds = clock(compiled, shape, length)
    for _ in range(_MORE_TRIES):
        if not limit < seconds < math.inf:
            break
        seconds = min(seconds, clock(compiled, shape, length))
    return seconds


def sentence(kind: str, limit: float) -> str:
    return f"It takes more than {limit * 1000:.0f} ms on a text with {kind}."


def _may_be_slow_when_long(
    compiled: re.Pattern[str], shape: Shape, short_seconds: float, limit: float, clock: Clock
) -> bool:
    """Whether the growth from a short to a medium text suggests so."""
    if not _SUSPICIOUS_SECONDS < short_seconds <= limit / 10:
        return False
    middle_seconds = clock(compiled, shape, _MIDDLE_TEXT)
    growth = max(2.0, middle_seconds / short_seconds)
    return middle_seconds * math.pow(growth, math.log2(shape.longest / _MIDDLE_TEXT)) > limit / 2


def can_interrupt() -> bool:
    """Whether a timer can stop a search: not on Windows, and only the main thread receives signals."""
    return hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread()


def patient_clock(compiled: re.Pattern[str], shape: Shape, length: int) -> float:
    text = shape.text(length)
    start = time.thread_time()
    compiled.search(text)
    return time.thread_time() - start


@contextmanager
def impatient_clock(limit: float) -> Iterator[Clock]:
    """Stops slow searches with a timer of processor time, so that a busy machine makes no difference.

    The timer runs all the time: setting it for each of the many short searches would take longer than they do.
    """
    began = math.inf

    def tick(*_: object) -> None:
        if time.thread_time() - began > limit:
            raise _OutOfTime

    def clock(compiled: re.Pattern[str], shape: Shape, length: int) -> float:
        nonlocal began
        text = shape.text(length)
        try:
            began = time.thread_time()
            compiled.search(text)
            seconds = time.thread_time() - began
        except _OutOfTime:
            seconds = math.inf
        began = math.inf
        return seconds

    earlier_handler = signal.signal(signal.SIGVTALRM, tick)
    earlier_timer = signal.setitimer(signal.ITIMER_VIRTUAL, limit / 2, limit / 2)
    try:
        yield clock
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, earlier_handler or signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_VIRTUAL, *earlier_timer)
