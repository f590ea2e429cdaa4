"""The causal effect of hints: compares sessions that got them with sessions from which they were withheld at random.

Only chance decided who got a hint, so neither a better model nor a mistake that went away by itself is credited.
"""

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import msgspec

from lessons.opportunity import Opportunity
from lessons.prove.effect import UNKNOWN_SHARE, Z_BOTH, Verdict, strata_of, verdict_of
from lessons.prove.interval import Count, Difference, Stratum, calls_after, calls_before, difference

_LARGEST_NUMBER = 100_000


class Holdout(NamedTuple):
    """Failures per opportunity without and with the hint, over all lessons that only hint."""

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
    more = _more_sessions(tried, strata, rate) if verdict in ("no effect shown", "not enough data") else 0
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


def _more_sessions(tried: Sequence[Opportunity], strata: Sequence[Stratum], rate: float) -> int:
    """Returns about how many more sessions detect hints that prevent half; 0 if nothing is withheld, or that many were
    seen.
    """
    if not 0 < rate < 1:
        return 0
    without = calls_before(strata)
    wrong = without.failed / without.calls if without.failed else UNKNOWN_SHARE
    left = wrong / 2
    needed = (wrong * (1 - wrong) / rate + left * (1 - left) / (1 - rate)) * (Z_BOTH / (wrong - left)) ** 2
    sessions = len({each.session for each in tried})
    for_one = len(tried) / sessions if sessions else 1.0
    compared = without.calls + calls_after(strata).calls
    return min(_LARGEST_NUMBER, max(0, math.ceil((needed - compared) / for_one)))
