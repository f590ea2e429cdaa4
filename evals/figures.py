"""Ranked candidates and labelled failures in, how much of what is shown is right and how much is found out.

Only candidates from failures count. A failure that is labelled `protocol` is neutral; a call without a label did not
fail, and counts as noise.
"""

from collections import Counter
from collections.abc import Sequence

import msgspec

from evals.corpus import Labels
from evals.mined import Found
from lessons.candidate import FAILURE

WEIGHT = {"lesson": 1.0, "maybe": 0.5, "noise": 0.0}
TOP = 20


class Figures(msgspec.Struct, frozen=True):
    """All between 0 and 1, but for the number of candidates and the repeats."""

    candidates: int
    candidate_precision: float  # of those with judged evidence, the share whose evidence is mostly worth a lesson
    precision_at_20: float  # the same for the first 20
    call_precision: float  # of the judged failures that candidates rest on, the share worth a lesson
    call_recall: float  # of the failures worth a lesson, the share that some candidate rests on
    macro_recall: float  # mean over the mistakes of the share of their failures that was found
    key_recall: float  # of the mistakes, the share with any failure found
    repeats: float  # candidates per mistake that was found: 1 where each is reported once


def figures(found: Sequence[Found], labels: Labels) -> Figures:
    candidates = from_failures(found)
    judged = [(candidate, calls) for candidate in candidates if (calls := judged_calls(candidate, labels))]
    good = [is_good(calls, labels) for _, calls in judged]
    top = [is_good(calls, labels) for candidate in candidates[:TOP] if (calls := judged_calls(candidate, labels))]
    reached = {call for _, calls in judged for call in calls}
    sizes, hits = mistakes(labels), mistakes(labels, reached)
    reports = sum(len(mistakes(labels, set(calls))) for _, calls in judged)
    return Figures(
        candidates=len(candidates),
        candidate_precision=_share(sum(good), len(good)),
        precision_at_20=_share(sum(top), len(top)),
        call_precision=_share(sum(WEIGHT[verdict_of(call, labels)] for call in reached), len(reached)),
        call_recall=_share(sum(hits.values()), sum(sizes.values())),
        macro_recall=_share(sum(hits[key] / size for key, size in sizes.items()), len(sizes)),
        key_recall=_share(len(hits), len(sizes)),
        repeats=round(reports / max(1, len(hits)), 2),
    )


def from_failures(found: Sequence[Found]) -> list[Found]:
    return [candidate for candidate in found if candidate.tier == FAILURE]


def verdict_of(call: str, labels: Labels) -> str:
    return labels[call].verdict if call in labels else "noise"


def judged_calls(candidate: Found, labels: Labels) -> list[str]:
    """The failures it rests on that say something about it."""
    return [call for call in candidate.calls if verdict_of(call, labels) != "protocol"]


def is_good(calls: Sequence[str], labels: Labels) -> bool:
    return sum(WEIGHT[verdict_of(call, labels)] for call in calls) / len(calls) > 0.5


def mistakes(labels: Labels, among: set[str] | None = None) -> Counter[str]:
    """How many failures worth a lesson each mistake has, of all or of these calls."""
    return Counter(
        label.key or label.id
        for label in labels.values()
        if label.verdict == "lesson" and (among is None or label.id in among)
    )


def _share(part: float, whole: int) -> float:
    return round(part / max(1, whole), 3)
