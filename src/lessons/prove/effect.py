"""What a lesson changed: mistakes before and after it, with an interval; all lessons together; withheld hints.

The difference of two shares follows Agresti and Caffo: it adds calls on each side, half of them failed. It stays close
to its nominal coverage where the usual formulas fail: few calls, or none that failed.
"""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, Literal, NamedTuple

import msgspec

from lessons.opportunity import Opportunity, Outcome

Z = 1.959963984540054  # 95 of 100 values of the normal distribution are between -Z and Z
# Calls added on each side, half of them failed. Agresti and Caffo add two, and their intervals are wide for rare
# mistakes. With this many, every case in tests/prove/test_interval.py is covered at least 92 times in 100.
_ADDED = 1.5
_PRIOR = 1.0  # failures that vary like independent calls, before any is seen


class Count(NamedTuple):
    """How many of how many calls failed."""

    failed: int
    calls: int

    def __add__(self, other: object) -> "Count":
        assert isinstance(other, Count)
        return Count(self.failed + other.failed, self.calls + other.calls)


NOTHING = Count(0, 0)


def _sum(counts: Sequence[Count]) -> Count:
    """Sums column by column: a lesson may have thousands of sessions."""
    return Count(sum(each.failed for each in counts), sum(each.calls for each in counts))


class Stratum(NamedTuple):
    """Calls of the same kind on both sides, grouped by session: calls of one session are alike."""

    key: tuple[str, ...]
    sessions_before: tuple[Count, ...]
    sessions_after: tuple[Count, ...]

    @property
    def before(self) -> Count:
        return _sum(self.sessions_before)

    @property
    def after(self) -> Count:
        return _sum(self.sessions_after)

    @property
    def weight(self) -> float:
        """The Mantel-Haenszel weight: how much a stratum says about a difference."""
        return self.before.calls * self.after.calls / (self.before.calls + self.after.calls)

    def without_failures_after(self) -> "Stratum":
        return self._replace(sessions_after=tuple(Count(0, each.calls) for each in self.sessions_after))


class Difference(NamedTuple):
    """The share after minus the share before, and the range that contains the truth in 95 of 100 cases."""

    before: float  # both shares over the same mix of strata
    after: float
    low: float
    middle: float
    high: float

    def excludes(self, value: float) -> bool:
        return not self.low <= value <= self.high


def calls_before(strata: Sequence[Stratum]) -> Count:
    return sum((each.before for each in strata), NOTHING)


def calls_after(strata: Sequence[Stratum]) -> Count:
    return sum((each.after for each in strata), NOTHING)


def difference(strata: Sequence[Stratum]) -> Difference | None:
    """Compares within strata that have calls on both sides; returns None if there are none."""
    if not strata:
        return None
    total = sum(each.weight for each in strata)
    alike = design_effect(strata)
    # The added calls are for the whole table, spread over all strata.
    added = _ADDED / len(strata)
    # The share of a stratum is estimated from its own few calls, which then are too close to it: each loses one call.
    lost = alike * (1 - 1 / len(strata))
    lost_before, lost_after = lost * _spread(calls_before(strata)), lost * _spread(calls_after(strata))
    before = after = middle = variance = 0.0
    for each in strata:
        weight = each.weight / total
        first, second = _adjusted(each.before, added), _adjusted(each.after, added)
        before += weight * each.before.failed / each.before.calls
        after += weight * each.after.failed / each.after.calls
        middle += weight * (second - first)
        variance += weight**2 * (
            _variance(first, each.before.calls + added, lost_before)
            + _variance(second, each.after.calls + added, lost_after)
        )
    half = Z * math.sqrt(variance * alike)
    return Difference(before, after, max(-1.0, middle - half), after - before, min(1.0, middle + half))


def design_effect(strata: Sequence[Stratum]) -> float:
    """Returns how much more the calls vary than independent ones, because calls of one session are alike.

    After Rao and Scott, shrunk towards 1 while there is little data; never below 1.
    """
    seen = expected = 0.0
    for stratum in strata:
        for sessions in (stratum.sessions_before, stratum.sessions_after):
            failed, calls = _sum(sessions)
            if len(sessions) > 1:
                wrong = failed / calls
                seen += sum((each.failed - wrong * each.calls) ** 2 for each in sessions)
                apart = sum(each.calls * (1 - each.calls / calls) for each in sessions)
                expected += wrong * (1 - wrong) * calls / (calls - 1) * apart
    return max(1.0, (seen + _PRIOR) / (expected + _PRIOR))


def _variance(wrong: float, calls: float, lost: float) -> float:
    return (wrong * (1 - wrong) + lost / calls) / calls


def _spread(count: Count) -> float:
    wrong = _adjusted(count, _ADDED)
    return wrong * (1 - wrong)


def _adjusted(count: Count, added: float) -> float:
    return (count.failed + added / 2) / (count.calls + added)


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
_Z_BOTH = 1.96 + 0.84  # 95 % confidence, and found in 80 of 100 cases
_NO_SIDE: tuple[Outcome, ...] = ("notDelivered", "overridden")  # neither with the lesson nor without it
_UNKNOWN_SHARE = 0.25  # of mistakes, while nothing is known about them
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
    needed = _calls_needed((sum(without) + 0.5) / (len(without) + 1) if without else _UNKNOWN_SHARE)
    # Calls that lack only the other side will count as soon as it exists.
    newest = Counter(each.is_active for each in counted if _kind(each) == _kind(counted[-1]))
    seen = (max(calls_before(strata).calls, newest[False]), max(calls_after(strata).calls, newest[True]))
    missing = [_sessions_for(max(_FEWEST_CALLS, needed) - calls, counted) for calls in seen]
    return max(1, sum(missing)), missing[0]


def _calls_needed(wrong: float, share_without: float = 1.0, share_with: float = 1.0) -> float:
    """Returns how many calls detect a lesson that prevents half: on each side, or in all if the sides have shares."""
    left = wrong / 2
    varies = wrong * (1 - wrong) / share_without + left * (1 - left) / share_with
    return varies * (_Z_BOTH / max(_SMALLEST_CHANGE, wrong - left)) ** 2


def _sessions_for(calls: float, seen: Sequence[Opportunity]) -> int:
    """Returns about how many sessions have so many calls."""
    sessions = len({each.session for each in seen})
    return math.ceil(max(0.0, calls) * sessions / len(seen)) if seen else math.ceil(max(0.0, calls))


def _kind(each: Opportunity) -> tuple[str, str]:
    return each.model, each.agent


_FEWEST_LESSONS = 2


class Pooled(NamedTuple):
    """The effect of all lessons together, each compared with itself and weighted by its calls, never by its result."""

    lessons: int
    mean: Difference | None  # None: fewer than two lessons are comparable


def pool(effects: Iterable[Effect]) -> Pooled:
    """Skips lessons without a comparison."""
    compared = [each.strata for each in effects if each.strata]
    strata = [stratum for each in compared for stratum in each]
    return Pooled(len(compared), difference(strata) if len(compared) >= _FEWEST_LESSONS else None)


class Holdout(NamedTuple):
    """The causal effect of hints: failures without and with the hint, over all lessons that only hint.

    Only chance decided who got a hint, so neither a better model nor a mistake that went away by itself is credited.
    """

    without: Count
    shown: Count
    difference: Difference | None
    verdict: Verdict
    more_sessions: int  # about how many until there is a verdict; 0: there is one, or nothing is withheld
    strata: tuple[Stratum, ...] = ()


def holdout_effect(opportunities: Iterable[Opportunity], rate: float) -> Holdout:
    """`rate` is the share of hints currently withheld."""
    tried = _while_withholding(opportunities, is_withholding=rate > 0)
    strata = strata_of(tried)
    found = difference(strata)
    verdict = verdict_of(found, strata)
    more = _more_withholding(tried, strata, rate) if verdict in ("no effect shown", "not enough data") else 0
    return Holdout(calls_before(strata), calls_after(strata), found, verdict, more, strata)


def _while_withholding(opportunities: Iterable[Opportunity], is_withholding: bool) -> list[Opportunity]:
    """Returns hints and withheld hints from the first withheld one on; up to the last, if none is withheld any more.

    Each counts on the side that chance decided, although a hint at a rejected call was lost: the calls from which hints
    were withheld were rejected as often.
    """
    known = [each for each in opportunities if each.failed is not None and each.decision in ("hint", "held-out")]
    tried = [msgspec.structs.replace(each, is_active=each.decision == "hint") for each in known]
    withheld = [each.time for each in tried if not each.is_active]
    if not withheld:
        return []
    return [each for each in tried if min(withheld) <= each.time and (is_withholding or each.time <= max(withheld))]


def _more_withholding(tried: Sequence[Opportunity], strata: Sequence[Stratum], rate: float) -> int:
    """Returns about how many more sessions detect hints that prevent half; 0 if nothing is withheld, or that many were
    seen.
    """
    if not 0 < rate < 1:
        return 0
    without = calls_before(strata)
    needed = _calls_needed(without.failed / without.calls if without.failed else _UNKNOWN_SHARE, rate, 1 - rate)
    return _sessions_for(needed - without.calls - calls_after(strata).calls, tried)
