"""The limits of a watcher: work per tick, and memory for queued files."""

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
    files: int = 500  # read in one tick
    bytes: int = 64 << 20
    seconds: float = 5.0
    sessions: int = 300  # mined in one tick
    queue: int = 20_000


def limits_from(settings: Config) -> Limits:
    return Limits(quiet=settings.watch_quiet_seconds, poll=settings.watch_poll_seconds)
