"""What people typed: a message counts once, and an unlabelled one does not count as right."""

from evals.corpus import HumanLabel
from evals.corrections import corrections
from evals.mined import Evidence, Found

LABELS = {
    "u1": HumanLabel("u1", "correction"),
    "u2": HumanLabel("u2", "correction"),
    "u3": HumanLabel("u3", "steering"),
    "u4": HumanLabel("u4", "other"),
}


def said(*uuids: str, tier: int = 3) -> Found:
    return Found(1, tier, "correction", evidence=[Evidence(uuid=uuid) for uuid in uuids])


def test_other_tiers_do_not_count() -> None:
    shown = corrections([said("u1", tier=1), said("u1", tier=2)], LABELS)
    assert (shown.candidates, shown.verdicts, shown.precision, shown.recall) == (0, {}, 0, 0)


def test_messages() -> None:
    shown = corrections([said("u1"), said("u1", "u3"), said("unlabelled")], LABELS)
    assert shown.candidates == 3
    assert shown.verdicts == {"correction": 1, "steering": 1, "unlabelled": 1}
    assert (shown.precision, shown.recall) == (0.333, 0.5)
