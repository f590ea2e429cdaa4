"""A lesson that fires on correct calls."""

from lessons.alert import Alert
from lessons.reviews.alerts.view import Finding, NoData, View, and_more, bucket
from lessons.reviews.check.false_alarms import REMOVE_ABOVE, REVIEW_ABOVE
from lessons.reviews.false_alarm_count import false_alarms

ID = "false-alarms"


def look(view: View) -> Finding:
    if not view.opportunities:
        return NoData("no lesson has had an opportunity yet")
    counts = false_alarms(view.opportunities)
    worst = min(counts, key=lambda slug: (-counts[slug], slug), default="")
    if not worst or counts[worst] <= REVIEW_ABOVE:
        return None
    number, lessons = counts[worst], sum(count > REVIEW_ABOVE for count in counts.values())
    more = and_more(lessons, "has such alarms" if lessons == 2 else "have such alarms")
    action = f"lessons archive {worst}" if number > REMOVE_ABOVE else f"lessons edit {worst}"
    message = f"{worst} fired on {number} calls that were right{more}"
    mark = f"{worst} {bucket(number, lessons)}"
    return Alert(id=ID, severity="warning", message=message, action=action, mark=mark, of_project=False)
