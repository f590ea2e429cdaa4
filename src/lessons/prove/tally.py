"""Counts the outcomes of opportunities."""

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import date, timedelta
from functools import lru_cache

import msgspec

from lessons.opportunity import Opportunity, Outcome

_NO_MATCH = ("none", "missed")
_PREVENTED: tuple[Outcome, ...] = ("heeded", "stoppedCorrected")
_WRONG: tuple[Outcome, ...] = ("falseAlarm", "overridden")
_DAYS_OF_A_WEEK = 7


class Tally(msgspec.Struct, frozen=True, rename="camel"):
    """The outcomes of the opportunities since the lessons were created."""

    opportunities: int = 0  # matches, including shadow
    shown: int = 0  # the agent could read the lesson
    heeded: int = 0
    ignored_failed: int = 0
    false_alarms: int = 0
    stopped_corrected: int = 0
    stopped_repeated: int = 0
    overridden: int = 0
    held_out: int = 0
    missed: int = 0
    not_delivered: int = 0
    unknown: int = 0
    shadow_failed: int = 0  # matches in shadow at which the mistake was made
    shadow_fine: int = 0

    @property
    def prevented(self) -> int:
        """Mistakes that were not repeated once the agent had read the lesson."""
        return self.heeded + self.stopped_corrected

    @property
    def wrong(self) -> int:
        """Times that the lesson hindered a correct call."""
        return self.false_alarms + self.overridden


class Week(msgspec.Struct, frozen=True):
    begins: str  # the Monday
    shown: int
    prevented: int
    wrong: int
    mistakes: int  # made with or without a lesson


def tally(opportunities: Iterable[Opportunity]) -> Tally:
    since = [each for each in opportunities if each.decision != "none"]
    outcomes = Counter(each.outcome for each in since)
    in_shadow = Counter(each.failed for each in since if each.decision == "shadow")
    return Tally(
        opportunities=sum(each.decision not in _NO_MATCH for each in since),
        shown=sum(each.is_active for each in since),
        heeded=outcomes["heeded"],
        ignored_failed=outcomes["ignoredFailed"],
        false_alarms=outcomes["falseAlarm"],
        stopped_corrected=outcomes["stoppedCorrected"],
        stopped_repeated=outcomes["stoppedRepeated"],
        overridden=outcomes["overridden"],
        held_out=outcomes["heldOut"],
        missed=outcomes["missed"],
        not_delivered=outcomes["notDelivered"],
        unknown=outcomes["unknown"],
        shadow_failed=in_shadow[True],
        shadow_fine=in_shadow[False],
    )


def by_week(opportunities: Iterable[Opportunity], most: int) -> list[Week]:
    """Returns the weeks up to the last with any event, including empty ones; at most `most`."""
    found: dict[date, list[Opportunity]] = {}
    for each in opportunities:
        if monday := _monday(each.time[:10]):
            found.setdefault(monday, []).append(each)
    if not found:
        return []
    last = max(found)
    count = min(most, (last - min(found)).days // _DAYS_OF_A_WEEK + 1)
    mondays = [last - timedelta(days=_DAYS_OF_A_WEEK * back) for back in reversed(range(count))]
    return [_week(monday, found.get(monday, ())) for monday in mondays]


def _week(monday: date, some: Sequence[Opportunity]) -> Week:
    return Week(
        begins=monday.isoformat(),
        shown=sum(each.is_active for each in some),
        prevented=sum(each.outcome in _PREVENTED for each in some),
        wrong=sum(each.outcome in _WRONG for each in some),
        mistakes=sum(each.failed is True for each in some),
    )


@lru_cache(maxsize=2000)
def _monday(day_of_time: str) -> date | None:
    try:
        day = date.fromisoformat(day_of_time)
    except ValueError:
        return None
    return day - timedelta(days=day.weekday())
