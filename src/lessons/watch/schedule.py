"""Decides when work is due: which sessions are quiet, how long a watcher may sleep. Pure: time is an argument."""

from collections.abc import Iterable, Mapping

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
