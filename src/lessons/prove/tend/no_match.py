"""Retire: nothing has matched its trigger for a long time, although agents were active."""

from datetime import datetime

from lessons.prove.tend.facts import Facts, Proposal, proposal

WEEKS_WITHOUT_A_MATCH = 12
_DAYS_OF_A_WEEK = 7


def propose(facts: Facts) -> Proposal | None:
    last = max((each.time for each in facts.matches), default="")
    weeks = weeks_between(last or facts.since, facts.now)
    if not facts.is_in_use or weeks is None or weeks < WEEKS_WITHOUT_A_MATCH:
        return None
    reason = f"No call has matched it for {weeks} weeks: retire it."
    return proposal(facts, "retire", reason, {"stage": "retired"}, lastMatch=last or None, weeks=weeks)


def weeks_between(earlier: str, later: str) -> int | None:
    """Returns whole weeks; None if one of the times is invalid."""
    try:
        apart = datetime.fromisoformat(later) - datetime.fromisoformat(earlier)
    except (ValueError, TypeError):
        return None
    return apart.days // _DAYS_OF_A_WEEK
