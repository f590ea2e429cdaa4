"""How long the history keeps every detail of successful calls."""

from datetime import UTC, datetime, timedelta

from lessons.store.history.history import History

_BETWEEN_COMPACTIONS = timedelta(days=1)


def cutoff(days: int, now: datetime) -> str:
    """Returns the time before which calls are old, in the stored format."""
    return f"{now.astimezone(UTC) - timedelta(days=days):%Y-%m-%dT%H:%M:%S}"


def compact(history: History, before: str, now: datetime) -> int:
    """Shortens the successful calls before this time in one transaction; returns how many."""
    with history.transaction():
        number = history.compaction.shorten(before)
        history.compaction.done(f"{now.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}")
    return number


def compact_when_due(history: History, days: int, now: datetime) -> int:
    """Compacts at most once a day and never if 0 days are set; leaves the space to rows to come."""
    last_due = f"{now.astimezone(UTC) - _BETWEEN_COMPACTIONS:%Y-%m-%dT%H:%M:%SZ}"
    return compact(history, cutoff(days, now), now) if days and history.compaction.last() <= last_due else 0


def return_space(history: History) -> list[str]:
    """Makes the file smaller if that is worthwhile; returns the sentences to warn with if it cannot."""
    if not history.compaction.has_free_space() or history.compaction.give_back():
        return []
    needed = f"{history.compaction.room_needed() / 1e6:,.0f} MB"
    return [
        f"history.db keeps its size: rewriting it needs {needed} of free disk space."
        " Free some and run `lessons history compact` again."
    ]
