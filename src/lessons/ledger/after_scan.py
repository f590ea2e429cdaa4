"""Runs after new sessions are in the history: updates the ledger, prepares lines for the user, compacts old data."""

from datetime import UTC, datetime

from lessons import config
from lessons.capture.retention import compact_when_due
from lessons.ledger.repeated import put_repeat_line
from lessons.ledger.update import update_ledger
from lessons.ledger.weekly import put_weekly_line
from lessons.store.history.history import History


def after_scan(history: History) -> None:
    """Runs at the end of every scan, and at intervals in the watcher; the caller holds the scan lock."""
    now = datetime.now(UTC)
    if update_ledger(history):
        from lessons.ledger.tend import put_tend_line  # few scans have anything to judge

        put_tend_line(history)
    put_weekly_line(history, now.timestamp())
    put_repeat_line(history, now.timestamp())
    compact_when_due(history, config.load(history.home).history_days, now)
