"""Prepares a line about the last days for the next session start."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from lessons.store import faults, person_lines
from lessons.store.history.history import History


def put_line(history: History, name: str, now: float, span: timedelta, text_since: Callable[[str], str]) -> None:
    """`text_since` gets the start of the period, and returns an empty text if there is nothing to show.

    Records a fault in here and does not stop the scan.
    """
    try:
        since = datetime.fromtimestamp(now, UTC) - span
        text = text_since(f"{since:%Y-%m-%dT%H:%M:%S}")
        person_lines.put(history.home, name, text, now + span.total_seconds())
    except Exception as fault:
        faults.record_once(history.home, f"{name} line", faults.describe(fault))
