"""What a lesson changed: mistakes before and after it, with an interval; all lessons pooled."""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, NamedTuple

import msgspec

from lessons.opportunity import Opportunity, Outcome
from lessons.prove.interval import (
    NOTHING,
    Count,
    Difference,
    Interval,
    Stratum,
    Z,
    calls_after,
    calls_before,
    difference,
    student,
)

_DENIALS = ("stop", "block")


def measured(opportunities: Iterable[Opportunity], is_hint: bool) -> list[Opportunity]:
    """Prepares rows for the effect: `failed` of a hint becomes whether the mistake was made later in the context."""
    if not is_hint:
        return [each for each in opportunities if each.decision != "hint"]
    able = (each for each in opportunities if each.decision not in _DENIALS)
    return [msgspec.structs.replace(each, failed=each.repeated) for each in able]


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


_FEWEST_LESSONS = 2


class Pooled(NamedTuple):
    """The mean difference of all lessons, with its range, and the estimate for each lesson."""

    lessons: int
    mean: Interval | None  # None: fewer than two lessons are comparable
    each: dict[str, Interval]  # slug -> estimate shrunk towards the mean, more so if little is known about the lesson


class _Seen(NamedTuple):
    slug: str
    difference: float
    calls: float  # of one side, as if both had the same number
    error: float


def pool(effects: Mapping[str, Effect]) -> Pooled:
    """Pools effects by slug; skips lessons without a comparison."""
    seen = [
        _Seen(slug, found.middle, sum(each.weight for each in effect.strata), (found.high - found.low) / (2 * Z))
        for slug, effect in sorted(effects.items())
        if (found := effect.difference) is not None
    ]
    if len(seen) < _FEWEST_LESSONS:
        return Pooled(len(seen), None, {})
    variance = _variance_of_a_call(seen)
    spread = _spread(seen, variance)
    weights = [1 / (spread + variance / each.calls) for each in seen]
    total = sum(weights)
    mean = sum(weight * each.difference for weight, each in zip(weights, seen, strict=True)) / total
    error = _error_of_mean(seen, [weight / total for weight in weights], mean) or math.sqrt(1 / total)
    half = student(len(seen) - 1) * error
    interval = Interval(max(-1.0, mean - half), mean, min(1.0, mean + half))
    return Pooled(len(seen), interval, {each.slug: _drawn(each, spread, mean, len(seen)) for each in seen})


def _variance_of_a_call(seen: list[_Seen]) -> float:
    """Uses one value for all lessons, so that it does not depend on the results of one."""
    return sum(each.calls**2 * each.error**2 for each in seen) / sum(each.calls for each in seen)


def _spread(seen: list[_Seen], variance: float) -> float:
    """Estimates the variance between the true effects, after DerSimonian and Laird."""
    calls = sum(each.calls for each in seen)
    mean = sum(each.calls * each.difference for each in seen) / calls
    apart = sum(each.calls * (each.difference - mean) ** 2 for each in seen)
    return max(0.0, (apart - variance * (len(seen) - 1)) / (calls - sum(each.calls**2 for each in seen) / calls))


def _error_of_mean(seen: list[_Seen], shares: list[float], mean: float) -> float:
    """Estimates from how far the lessons are apart, after Hartung and Knapp."""
    apart = sum((share * (each.difference - mean)) ** 2 for share, each in zip(shares, seen, strict=True))
    return math.sqrt(apart / (1 - sum(share**2 for share in shares)))


def _drawn(one: _Seen, spread: float, mean: float, lessons: int) -> Interval:
    """Shrinks after Morris: never completely, because the distance between the lessons is itself an estimate."""
    own = one.error**2
    pull = max(0, lessons - 3) / (lessons - 1) * own / (own + spread)
    apart = one.difference - mean
    middle = one.difference - pull * apart
    unsure = 2 / (lessons - 3) * (pull * apart) ** 2 if lessons > 3 else 0.0
    half = Z * math.sqrt(own * (1 - (lessons - 1) / lessons * pull) + unsure)
    return Interval(max(-1.0, middle - half), middle, min(1.0, middle + half))
