"""The next step of a lesson: what must not propose one, and the numbers at which each is proposed."""

import msgspec

from lessons.model import Lesson, Stage
from lessons.opportunity import Decision, Opportunity, Outcome
from lessons.prove.next_step import ActsAs, Changes, Facts, Occurrences, next_step
from tests.tables import table

NOW = "2026-06-01T00:00:00Z"
BETTER: Changes = {"triggers": {"commandPatterns": ["x"]}}


def rows(
    decision: Decision, outcome: Outcome, number: int, failed: bool | None = None, sessions: int = 99, model: str = "m"
) -> list[Opportunity]:
    return [
        Opportunity(
            lesson="id",
            slug="a",
            time=f"2026-05-20T00:00:{place:02}Z",
            session=f"s{place % sessions}",
            agent="claude-code",
            model=model,
            project="",
            tool_use_id=f"{outcome}{place}",
            decision=decision,
            outcome=outcome,
            failed=failed,
            is_active=decision in ("hint", "stop", "block"),
        )
        for place in range(number)
    ]


def facts(found: list[Opportunity], acts_as: ActsAs = "hint", stage: Stage = "active", **more: object) -> Facts:
    lesson = Lesson(id="id", slug="a", summary="", problem="", solution="", stage=stage)
    plain = Facts(lesson=lesson, acts_as=acts_as, rows=found, since="2026-05-01T00:00:00Z", now=NOW)
    return msgspec.structs.replace(plain, **more)


def step(of: Facts) -> str:
    found = next_step(of)
    return found.step if found else ""


@table(
    "of",
    [
        facts([]),
        facts([], since="not a time"),
        # One session says little, however often it failed.
        facts(rows("shadow", "notShown", 9, True, sessions=1), stage="shadow"),
        facts(rows("shadow", "notShown", 4, True), stage="shadow"),
        facts(rows("shadow", "notShown", 2, True) + rows("shadow", "notShown", 8, False), stage="shadow"),
        facts(rows("shadow", "notShown", 9, None), stage="shadow"),
        facts(rows("shadow", "notShown", 9, True), stage="shadow", bad=1),
        facts(rows("hint", "ignoredFailed", 2, True)),
        facts(rows("hint", "ignoredFailed", 9, True, sessions=1)),
        facts(rows("hint", "ignoredFailed", 4, True) + rows("hint", "heeded", 4, True)),
        facts(rows("hint", "ignoredFailed", 4, True), can_stop=False),
        # Most calls that the hint is about are right: a stop would be in the way.
        facts(rows("hint", "ignoredFailed", 3, True) + rows("hint", "falseAlarm", 9, False)),
        facts(rows("stop", "falseAlarm", 2, False), acts_as="stop"),
        facts(rows("stop", "falseAlarm", 3, False) + rows("stop", "stoppedCorrected", 9, False), acts_as="stop"),
        facts(rows("allowed", "overridden", 1), acts_as="block"),
        facts([], bad=1),
        facts([], bad=3, good=2),
        facts(rows("held-out", "heldOut", 15, False)),
        facts(rows("held-out", "heldOut", 30, False) + rows("held-out", "heldOut", 4, True)),
        # An older model did not make the mistake; the one of today was not seen often enough.
        facts(rows("held-out", "heldOut", 30, False, model="old") + rows("held-out", "heldOut", 3, False)),
        facts([], occurrences=Occurrences(caught=9)),
        facts([], occurrences=Occurrences(missed=["a"], sessions=1)),
        facts([], occurrences=Occurrences(missed=["a", "b", "c"], sessions=1)),
        facts([], occurrences=Occurrences(missed=["a", "b", "c"], sessions=3, caught=3)),
        # Nothing better is known, and a hint at a call that works disturbs little.
        facts([], occurrences=Occurrences(alarmed=["a", "b"])),
        facts([], occurrences=Occurrences(outdated="it is old")),
        facts([], since="2026-01-01T00:00:00Z", is_in_use=False),
        facts([], programs_gone=("tsc",), since="2026-05-25T00:00:00Z"),
        facts(rows("stop", "falseAlarm", 9, False), acts_as="stop", stage="retired"),
    ],
)
def test_nothing_is_proposed(of: Facts) -> None:
    assert step(of) == ""


@table(
    ("of", "expected"),
    [
        (facts(rows("shadow", "notShown", 5, True), stage="shadow"), "activate"),
        (facts(rows("hint", "ignoredFailed", 3, True)), "stop-once"),
        (facts(rows("stop", "falseAlarm", 3, False), acts_as="stop"), "shadow"),
        (facts(rows("stop", "falseAlarm", 4, False) + rows("stop", "stoppedCorrected", 4), acts_as="stop"), "hint"),
        (facts(rows("allowed", "overridden", 2) + rows("block", "stoppedCorrected", 4), acts_as="block"), "hint"),
        (facts(rows("allowed", "overridden", 2), acts_as="block"), "shadow"),
        (facts([], bad=2), "shadow"),
        (facts(rows("held-out", "heldOut", 30, False)), "retire"),
        (facts([], occurrences=Occurrences(missed=["a", "b"], sessions=2)), "new-trigger"),
        (facts([], occurrences=Occurrences(missed=["a"], sessions=1, caught=9, revised=lambda: BETTER)), "new-trigger"),
        (facts([], occurrences=Occurrences(alarmed=["a"], revised=lambda: BETTER)), "new-trigger"),
        (facts([], occurrences=Occurrences(outdated="it is old", revised=lambda: {"solution": "x"})), "new-text"),
        (facts([], since="2026-03-01T00:00:00Z"), "retire"),
        (facts([], programs_gone=("tsc",), since="2026-05-10T00:00:00Z"), "retire"),
    ],
)
def test_the_step_that_comes_next(of: Facts, expected: str) -> None:
    assert step(of) == expected


def test_what_disturbs_comes_first() -> None:
    missed = Occurrences(missed=["a", "b", "c", "d"], sessions=4)
    assert step(facts(rows("stop", "falseAlarm", 3, False), acts_as="stop", occurrences=missed)) == "shadow"


def test_what_is_better_comes_from_outside_with_its_evidence() -> None:
    seen = Occurrences(missed=["a"], sessions=1, alarmed=["b"], outdated="no call was known", revised=lambda: BETTER)
    found = next_step(facts([], occurrences=seen))
    assert found is not None
    assert (found.changes, found.evidence["calls"]) == (BETTER, ["a", "b"])
    assert found.reason == (
        "Since then its mistake was made once where it does not fire, and it fires on 1 call that worked instead,"
        " and no call was known: take this trigger and this text."
    )
