"""Which lessons to review, by how often they were excluded or fired on correct calls."""

from collections import Counter
from collections.abc import Iterable, Mapping

import msgspec

from lessons.reviews.check.findings import Found

REVIEW_ABOVE = 10
REMOVE_ABOVE = 20


class RuleReport(msgspec.Struct, rename="camel", frozen=True):
    """One lesson; false alarms are None if not counted."""

    slug: str
    exclusions: int
    false_alarms: int | None
    advice: str


def report(slugs: Iterable[str], found: Iterable[Found], false_alarms: Mapping[str, int] | None) -> list[RuleReport]:
    """Returns every checked lesson, those with the most first."""
    excluded = Counter(each.slug for each in found if each.excluded)
    rows = []
    for slug in slugs:
        alarms = None if false_alarms is None else false_alarms.get(slug, 0)
        rows.append(RuleReport(slug, excluded[slug], alarms, advice(excluded[slug] + (alarms or 0))))
    return sorted(rows, key=lambda row: (-row.exclusions - (row.false_alarms or 0), row.slug))


def advice(times: int) -> str:
    if times > REMOVE_ABOVE:
        return "consider removing it"
    return "review it" if times > REVIEW_ABOVE else ""
