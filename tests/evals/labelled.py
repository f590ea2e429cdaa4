"""Calls and verdicts in, the labels and candidates for the figures out."""

from evals.corpus import Label, Labels
from evals.mined import Evidence, Found

# What each name says: the verdict, and the mistake where it is worth a lesson.
VERDICTS = {
    "a1": ("lesson", "a"),
    "a2": ("lesson", "a"),
    "b1": ("lesson", "b"),
    "c1": ("lesson", "c"),
    "m1": ("maybe", "m"),
    "n1": ("noise", None),
    "n2": ("noise", None),
    "p1": ("protocol", None),
}


def labels() -> Labels:
    return {name: Label(name, verdict, key, "quoting") for name, (verdict, key) in VERDICTS.items()}  # type: ignore[arg-type]


def found(*calls: str, index: int = 1, tier: int = 2, kind: str = "wrong-flag", **about: object) -> Found:
    evidence = [Evidence(tool_use_id=call, uuid=f"u-{call}") for call in calls]
    return Found(index, tier, kind, fingerprint=f"f{index}", evidence=evidence, **about)  # type: ignore[arg-type]
