"""Candidates from what people typed and labelled messages in, how many of those shown are rules to keep out."""

from collections import Counter
from collections.abc import Sequence

import msgspec

from evals.corpus import HumanLabels
from evals.mined import Found
from lessons.candidate import CORRECTION


class Corrections(msgspec.Struct, frozen=True):
    """What became of the messages of people."""

    candidates: int
    verdicts: dict[str, int]  # of the messages they rest on; unlabelled ones too
    precision: float  # of those messages, the share that is labelled a correction
    recall: float  # of the corrections, the share that is shown


def corrections(found: Sequence[Found], labels: HumanLabels) -> Corrections:
    shown = [candidate for candidate in found if candidate.tier == CORRECTION]
    messages = {each.uuid for candidate in shown for each in candidate.evidence if each.uuid}
    verdicts = Counter(labels[uuid].verdict if uuid in labels else "unlabelled" for uuid in messages)
    wanted = sum(label.verdict == "correction" for label in labels.values())
    right = verdicts["correction"]
    return Corrections(
        candidates=len(shown),
        verdicts=dict(sorted((name, number) for name, number in verdicts.items() if number)),
        precision=round(right / max(1, len(messages)), 3),
        recall=round(right / max(1, wanted), 3),
    )
