"""Mistakes that were made although their lesson was shown."""

from collections import Counter
from datetime import UTC, datetime, timedelta

from lessons.alert import Alert
from lessons.reviews.alerts.view import Finding, NoData, View, and_more, bucket

ID = "mistake-returned"
_DAYS = 14
_LEAST_RETURNS = 2  # once may be chance


def look(view: View) -> Finding:
    """Reports the lesson with the most returns; ignores shadow lessons and held-out calls, which showed nothing."""
    if not view.opportunities:
        return NoData("no lesson has had an opportunity yet")
    since = f"{datetime.fromtimestamp(view.now, UTC) - timedelta(days=_DAYS):%Y-%m-%dT%H:%M:%SZ}"
    ignored = Counter(
        each.slug
        for each in view.opportunities
        if each.time >= since and each.is_active and each.outcome in ("ignoredFailed", "stoppedRepeated")
    )
    if not ignored or max(ignored.values()) < _LEAST_RETURNS:
        return None
    slug = min(ignored, key=lambda one: (-ignored[one], one))
    lessons = sum(count >= _LEAST_RETURNS for count in ignored.values())
    more = and_more(lessons, "was ignored" if lessons == 2 else "were ignored")
    message = (
        f"The mistake of {slug} was made {ignored[slug]} times in {_DAYS} days although its lesson was shown{more}"
    )
    action = f"lessons stats {slug}"
    mark = f"{slug} {bucket(ignored[slug], lessons)}"
    return Alert(id=ID, severity="warning", message=message, action=action, mark=mark, of_project=False)
