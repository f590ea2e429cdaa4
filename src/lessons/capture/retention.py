"""How long the history keeps every detail of calls that went well."""

from datetime import UTC, datetime, timedelta

from lessons.store.history.history import History

_BETWEEN_COMPACTIONS = timedelta(days=1)


def cutoff(days: int, now: datetime) -> str:
    """The moment before which calls are old, as times are stored."""
    return f"{now.astimezone(UTC) - timedelta(days=days):%Y-%m-%dT%H:%M:%S}"


def compact_when_due(history: History, days: int, now: datetime) -> int:
    """Shortens old good calls, at most once a day and never where 0 days are set; returns how many."""
    moment = f"{now.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"
    if not days or history.compaction.last() > f"{now.astimezone(UTC) - _BETWEEN_COMPACTIONS:%Y-%m-%dT%H:%M:%SZ}":
        return 0
    with history.transaction():
        number = history.compaction.shorten(cutoff(days, now))
        history.compaction.done(moment)
    return number
