"""Recurring mistakes without a decision."""

from lessons.alert import Alert
from lessons.reviews.alerts.view import Finding, NoData, View, bucket

ID = "candidates-waiting"


def look(view: View) -> Finding:
    if view.waiting is None:
        return NoData("no transcript was read yet")
    if not view.waiting:
        return None
    number = "1 candidate" if view.waiting == 1 else f"{view.waiting:,} candidates"
    return Alert(
        id=ID,
        severity="info",
        message=f"{number} seen in two sessions or more {'waits' if view.waiting == 1 else 'wait'} for review.",
        action="lessons review",
        mark=bucket(view.waiting),
        of_project=False,
    )
