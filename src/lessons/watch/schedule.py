"""When work is due: which sessions are quiet, and how long a watcher may sleep. Pure: the time is an argument."""

from collections.abc import Iterable, Mapping

# A write so far in the future comes from another machine's clock; one further away from a clock that was set back.
_CLOCK_SECONDS = 300.0
_SHORTEST_SLEEP = 0.05


def is_quiet(last_write: float, now: float, wait: float) -> bool:
    """Whether nothing was written for that long; a moment far in the future keeps nothing waiting."""
    return not -_CLOCK_SECONDS <= now - last_write < wait


def quiet_sessions(last_writes: Mapping[str, float], now: float, wait: float, unread: Iterable[str] = ()) -> set[str]:
    """The sessions to mine now; not those with a segment that is still to be read (`unread`)."""
    return {name for name, last in last_writes.items() if is_quiet(last, now, wait)} - set(unread)


def active_sessions(last_writes: Mapping[str, float], now: float, wait: float) -> set[str]:
    return {name for name, last in last_writes.items() if not is_quiet(last, now, wait)}


def next_quiet(last_writes: Mapping[str, float], now: float, wait: float) -> float | None:
    """When the next of the sessions that are written now will be quiet, if nothing more is written."""
    moments = [last + wait for last in last_writes.values() if not is_quiet(last, now, wait)]
    return min(moments, default=None)


def sleep_until(moments: Iterable[float | None], now: float, longest: float) -> float:
    """Seconds until the first of these moments; never longer than `longest`."""
    waits = [moment - now for moment in moments if moment is not None]
    return min(longest, max(_SHORTEST_SLEEP, min(waits, default=longest)))
