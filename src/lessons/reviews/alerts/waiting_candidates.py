"""Recurring mistakes without a decision."""

from lessons.alert import Alert
from lessons.reviews.alerts.view import Finding, NoData, View, bucket

ID = "candidates-waiting"


def look(view: View) -> Finding:
    if view.waiting is None:
        return NoData("no transcript was read yet")
    if not view.waiting:
        return None
    were = "1 repeated mistake is" if view.waiting == 1 else f"{view.waiting:,} repeated mistakes are"
    return Alert(
        id=ID,
        severity="info",
        message=f"{were} pending in review.",
        action="lessons review",
        mark=bucket(view.waiting),
        of_project=False,
    )
