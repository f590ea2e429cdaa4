"""What a lesson changed: failures per opportunity without it and with it.

Compares only the same model and agent on both sides, so that a better model is not credited to a lesson. Excludes the
sessions from which a lesson was learned, and everything before them: a lesson is learned because a mistake was made
just then, and it would have become rarer by itself.
"""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, Literal, NamedTuple

import msgspec

from lessons.opportunity import Opportunity, Outcome
from lessons.prove.interval import NOTHING, Count, Difference, Stratum, calls_after, calls_before, difference

Verdict = Literal["helps", "harms", "no effect shown", "not enough data"]
_FEWEST_CALLS = 5  # on each side, for any verdict
_NARROW = 0.1  # an interval within this distance of 0 excludes a large effect
Z_BOTH = 1.96 + 0.84  # 95 % confidence, and found in 80 of 100 cases
_NO_SIDE: tuple[Outcome, ...] = ("notDelivered", "overridden")  # neither with the lesson nor without it
UNKNOWN_SHARE = 0.25  # of mistakes, while nothing is known about them
_SMALLEST_CHANGE = 0.05  # proving a smaller one takes too long


class Effect(msgspec.Struct, frozen=True):
    """Failures per opportunity on both sides, over comparable calls, and the certainty of their difference."""

    difference: Difference | None  # None: nothing is comparable
    verdict: Verdict
    more_sessions: int  # about how many sessions with a match until there is a verdict; 0: there is one
    strata: tuple[Stratum, ...] = ()
    more_without: int = 0  # how many of them without the lesson: in shadow, or withheld

    @property
    def before(self) -> Count:
        return calls_before(self.strata)

    @property
    def after(self) -> Count:
        return calls_after(self.strata)

    def failures_prevented(self) -> tuple[float, float]:
        """Returns the range over the calls with the lesson; below 0 if there were more failures."""
        if self.difference is None:
            return 0.0, 0.0
        calls = self.after.calls
        return -self.difference.high * calls, -self.difference.low * calls


class Saved(NamedTuple):
    """What the prevented failures would have cost: ranges, below 0 if the lesson may have cost something."""

    calls: tuple[float, float]
    minutes: tuple[float, float]


def effect_of(opportunities: Iterable[Opportunity], learned_from: frozenset[str] = frozenset()) -> Effect:
    """Computes the effect of one lesson; `learned_from` are the sessions of its evidence."""
    counted = comparable(opportunities, learned_from)
    strata = strata_of(counted)
    found = difference(strata)
    verdict = verdict_of(found, strata)
    more, without = _more_sessions(counted, strata) if verdict == "not enough data" else (0, 0)
    return Effect(found, verdict, more, strata, without)


def document(effect: Effect) -> dict[str, Any]:
    """Returns the JSON of `lessons stats --json`: shares of the opportunities; below 0 means fewer failures."""
    found = effect.difference
    return {
        "before": found and round(found.before, 4),
        "after": found and round(found.after, 4),
        "difference": found and round(found.middle, 4),
        "low": found and round(found.low, 4),
        "high": found and round(found.high, 4),
        "verdict": effect.verdict,
        "beforeCalls": effect.before.calls,
        "afterCalls": effect.after.calls,
        "moreSessions": effect.more_sessions,
        "moreSessionsWithout": effect.more_without,
    }


def saved(effect: Effect, calls_per_failure: float, minutes_per_failure: float) -> Saved:
    """Computes the saving; the cost of a failure is measured from the failed call to the one that worked."""
    low, high = effect.failures_prevented()
    return Saved(
        calls=(low * calls_per_failure, high * calls_per_failure),
        minutes=(low * minutes_per_failure, high * minutes_per_failure),
    )


def comparable(opportunities: Iterable[Opportunity], learned_from: frozenset[str]) -> list[Opportunity]:
    """Returns opportunities after the lesson was learned for which the mistake is known to be made or not, in order of
    time.

    Excludes misses: they are known only because they failed. Excludes calls that a person let pass: they were chosen
    for being right, and the agent had read the lesson.
    """
    in_order = sorted(opportunities, key=lambda each: (each.time, each.session, each.tool_use_id))
    # A session it was learned from may continue for weeks: later hook decisions there do not move the start for other
    # sessions.
    evidence = (each for each in in_order if each.session in learned_from and each.decision == "none")
    last = max((each.time for each in evidence), default="")
    return [
        each
        for each in in_order
        if each.time > last
        and each.session not in learned_from
        and each.failed is not None
        and each.decision != "missed"
        and each.outcome not in _NO_SIDE
    ]


def strata_of(counted: Iterable[Opportunity]) -> tuple[Stratum, ...]:
    """Returns one stratum per lesson, model and agent seen on both sides."""
    found: dict[tuple[str, str, str], tuple[dict[str, Count], dict[str, Count]]] = {}
    for each in counted:
        sides = found.setdefault((each.lesson, each.model, each.agent), ({}, {}))
        sessions = sides[each.is_active]
        sessions[each.session] = sessions.get(each.session, NOTHING) + Count(int(bool(each.failed)), 1)
    return tuple(
        Stratum(key, tuple(before.values()), tuple(after.values()))
        for key, (before, after) in sorted(found.items())
        if before and after
    )


def verdict_of(found: Difference | None, strata: Sequence[Stratum]) -> Verdict:
    if found is None or min(calls_before(strata).calls, calls_after(strata).calls) < _FEWEST_CALLS:
        return "not enough data"
    if found.high < 0:
        return "helps"
    if found.low > 0:
        return "harms"
    # Even a lesson that prevents everything could not be told from one that does nothing.
    best = difference([each.without_failures_after() for each in strata])
    is_blind = best is not None and best.high >= 0
    return "not enough data" if is_blind and max(-found.low, found.high) > _NARROW else "no effect shown"


def _more_sessions(counted: Sequence[Opportunity], strata: Sequence[Stratum]) -> tuple[int, int]:
    """Returns how many more sessions (total, without the lesson) are needed to detect a lesson that prevents half.

    An active lesson gets none without it unless hints are withheld: no number of sessions with it can replace those.
    """
    # Calls that cannot be compared, such as those of an older model, still show how common the mistake is.
    without = [bool(each.failed) for each in counted if not each.is_active]
    wrong = (sum(without) + 0.5) / (len(without) + 1) if without else UNKNOWN_SHARE
    left = wrong / 2
    needed = (wrong * (1 - wrong) + left * (1 - left)) * (Z_BOTH / max(_SMALLEST_CHANGE, wrong - left)) ** 2
    sessions = len({each.session for each in counted})
    for_one = len(counted) / sessions if sessions else 1.0
    # Calls that lack only the other side will count as soon as it exists.
    newest = Counter(each.is_active for each in counted if _kind(each) == _kind(counted[-1]))
    seen = (max(calls_before(strata).calls, newest[False]), max(calls_after(strata).calls, newest[True]))
    missing = [math.ceil(max(0.0, max(_FEWEST_CALLS, needed) - calls) / for_one) for calls in seen]
    return max(1, sum(missing)), missing[0]


def _kind(each: Opportunity) -> tuple[str, str]:
    return each.model, each.agent
