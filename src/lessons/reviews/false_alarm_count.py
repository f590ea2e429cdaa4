"""Counts from the ledger how often each lesson fired on a correct call."""

from collections import Counter
from collections.abc import Iterable

from lessons.opportunity import Opportunity


def false_alarms(opportunities: Iterable[Opportunity]) -> Counter[str]:
    """Counts by slug."""
    return Counter(each.slug for each in opportunities if each.outcome == "falseAlarm")
