"""What a lesson changed: failures per opportunity before and after it was activated.

Only what can be compared is compared: the same model and agent on both sides, so that a better model is not credited
to a lesson. The sessions from which a lesson was learned are left out, and so is everything before them: a lesson is
learned because a mistake was made just then, and it would have become rarer by itself.
"""

import math
from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

import msgspec

from lessons.prove.interval import NOTHING, Count, Interval, pooled, share

Verdict = Literal["helps", "harms", "no effect shown", "not enough data"]
_FEWEST_CALLS = 5  # on each side, before anything is said
_Z_BOTH = 1.96 + 0.84  # 95 % sure, and found in 80 of 100 cases


class Opportunity(msgspec.Struct, frozen=True):
    """A call that the lesson is about, and whether the mistake was made."""

    time: str
    session: str
    model: str
    agent: str
    failed: bool
    is_active: bool  # the agent could read the lesson: not before it was activated, not in shadow, not held out


class Effect(msgspec.Struct, frozen=True):
    """Failures per opportunity on both sides and how much fewer they became, with the calls that this spared."""

    before: Count
    after: Count
    less: Interval | None
    verdict: Verdict
    more_sessions: int = 0  # until it can be told, where there is not enough data

    def failures_spared(self) -> tuple[float, float]:
        """A range; below 0 where there were more."""
        if self.less is None:
            return 0.0, 0.0
        return self.less.low * self.after.calls, self.less.high * self.after.calls


class _Side(NamedTuple):
    before: Count = NOTHING
    after: Count = NOTHING


def effect_of(opportunities: Iterable[Opportunity], learned_from: frozenset[str]) -> Effect:
    """Of one lesson; `learned_from` are the sessions of its evidence."""
    counted = _without_birth(sorted(opportunities, key=lambda each: (each.time, each.session)), learned_from)
    strata = _strata(counted)
    compared = [side for side in strata.values() if side.before.calls and side.after.calls]
    before = sum((side.before for side in compared), NOTHING)
    after = sum((side.after for side in compared), NOTHING)
    less = pooled([(side.before, side.after) for side in compared])
    if less is None or min(before.calls, after.calls) < _FEWEST_CALLS:
        return Effect(before, after, less, "not enough data", _more_sessions(counted, before, after))
    return Effect(before, after, less, _verdict(less))


def _without_birth(opportunities: Sequence[Opportunity], learned_from: frozenset[str]) -> list[Opportunity]:
    last = max((each.time for each in opportunities if each.session in learned_from), default="")
    return [each for each in opportunities if each.time > last and each.session not in learned_from]


def _strata(opportunities: Iterable[Opportunity]) -> dict[tuple[str, str], _Side]:
    found: dict[tuple[str, str], _Side] = {}
    for each in opportunities:
        key, one = (each.model, each.agent), Count(int(each.failed), 1)
        side = found.get(key, _Side())
        found[key] = _Side(side.before, side.after + one) if each.is_active else _Side(side.before + one, side.after)
    return found


def _verdict(less: Interval) -> Verdict:
    if less.low > 0:
        return "helps"
    return "harms" if less.high < 0 else "no effect shown"


def _more_sessions(counted: Sequence[Opportunity], before: Count, after: Count) -> int:
    """About how many more, if the mistake goes on as before and the lesson prevents half of it."""
    rate = share(before)
    wrong = rate.middle if rate and before.failed else 0.25
    needed = max(_FEWEST_CALLS, 2 * wrong * (1 - wrong) * (_Z_BOTH / max(0.05, wrong / 2)) ** 2)
    sessions = len({each.session for each in counted})
    for_one = len(counted) / sessions if sessions else 1.0
    return max(1, math.ceil((needed - after.calls) / max(0.1, for_one)))
