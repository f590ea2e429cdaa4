"""Faults that hooks and background work logged in the last week."""

from datetime import UTC, datetime, timedelta

from lessons.alert import Alert
from lessons.reviews.alerts.view import Finding, View, bucket
from lessons.store import faults

ID = "faults"
_DAYS = 7


def look(view: View) -> Finding:
    since = f"{datetime.fromtimestamp(view.now, UTC) - timedelta(days=_DAYS):%Y-%m-%dT%H:%M:%SZ}"
    recent = [line for line in faults.read(view.home) if line >= since]
    if not recent:
        return None
    number = len(recent)
    message = f"{number} fault{'s' * (number != 1)} logged in the last {_DAYS} days."
    return Alert(
        id=ID, severity="warning", message=message, action="lessons doctor", mark=bucket(number), of_project=False
    )
