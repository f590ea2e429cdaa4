"""When each active lesson was activated."""

from collections.abc import Iterable

from lessons.model import Lesson
from lessons.opportunity import Opportunity


def activations(active: Iterable[Lesson], opportunities: Iterable[Opportunity]) -> dict[str, str]:
    """Returns times by slug. A lesson that was in shadow first was activated by its first showing at the latest."""
    first_shown: dict[str, str] = {}
    first_shadow: dict[str, str] = {}
    for each in opportunities:
        found = first_shown if each.is_active else first_shadow if each.decision == "shadow" else None
        if found is not None:
            found[each.lesson] = min(each.time, found.get(each.lesson, each.time))
    moments = {}
    for lesson in active:
        shown = first_shown.get(lesson.id, "")
        was_in_shadow = lesson.id in first_shadow and first_shadow[lesson.id] < shown
        moments[lesson.slug] = shown if was_in_shadow else lesson.created_at
    return {slug: moment for slug, moment in moments.items() if moment}
