"""The review log needs work: it differs from its sources, was not consolidated, or has grown long."""

from lessons.alert import Alert
from lessons.errors import LessonsError
from lessons.reviews.alerts.view import Finding, NoData, View, bucket
from lessons.reviews.consolidate import is_due, new_entries
from lessons.reviews.drift import MOST_ACTIVE
from lessons.reviews.review_log import has_drifted
from lessons.store.project_state import consolidation, reviews

ID = "review-backlog"


def look(view: View) -> Finding:
    """Reports the most urgent of the three."""
    entries = reviews.read(view.place)
    if not entries:
        return NoData("no review was logged in this project")
    try:
        if has_drifted(view.place):
            return _alert("The review log differs from its sources.", "lessons code-review sync", "drift")
    except LessonsError as refused:
        return NoData(f"a source of the review log cannot be read: {refused}")
    done = consolidation.read(view.place)
    if is_due(entries, done):
        new = new_entries(entries, done)
        return _alert(
            f"{new} reviews are new since the last consolidation.", "lessons code-review consolidate", bucket(new)
        )
    active = sum(not entry.archived for entry in entries)
    if active > MOST_ACTIVE:
        return _alert(f"{active} reviews are active.", "lessons code-review archive", f"active {bucket(active)}")
    return None


def _alert(message: str, action: str, mark: str) -> Alert:
    return Alert(id=ID, severity="info", message=message, action=action, mark=mark)
