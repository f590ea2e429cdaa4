"""How long the history keeps every detail of successful calls."""

from datetime import UTC, datetime, timedelta

from lessons.store.history.history import History

_BETWEEN_COMPACTIONS = timedelta(days=1)


def cutoff(days: int, now: datetime) -> str:
    """Returns the time before which calls are old, in the stored format."""
    return f"{now.astimezone(UTC) - timedelta(days=days):%Y-%m-%dT%H:%M:%S}"


def compact_when_due(history: History, days: int, now: datetime) -> int:
    """Shortens old successful calls, at most once a day and never if 0 days are set; returns how many."""
    moment = f"{now.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"
    if not days or history.compaction.last() > f"{now.astimezone(UTC) - _BETWEEN_COMPACTIONS:%Y-%m-%dT%H:%M:%SZ}":
        return 0
    with history.transaction():
        number = history.compaction.shorten(cutoff(days, now))
        history.compaction.done(moment)
    return number
