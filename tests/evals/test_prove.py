"""The table of `make eval-prove`, at a size for every run."""

from collections import Counter

from evals import prove
from evals.prove import MODEL_AT_ACTIVATION, Row
from tests.tables import table

SMALL = 120


def test_the_table_says_of_each_history_how_often_the_truth_was_held() -> None:
    name, world = "inert, 50 %", prove.WORLDS["inert, 50 %"]
    found = prove.of_one_lesson(name, world, SMALL)
    assert found == prove.of_one_lesson(name, world, SMALL)
    assert found.intervals == SMALL
    assert 0.9 <= found.coverage <= 1
    printed = prove.table([found]).splitlines()
    assert printed[-1].startswith("| inert, 50 % | 120 |")


def test_lessons_together_and_withheld_hints() -> None:
    together = prove.pooled(40)
    assert (together.intervals, together.coverage > 0.8) == (20, True)
    held = prove.held_out("withheld", 0.2, 40)
    assert held.coverage > 0.8


def test_the_sessions_a_lesson_was_learned_from_would_bias_both_ways() -> None:
    world = prove.WORLDS["inert, 15 %"]._replace(shadow_sessions=2, history_begins=8)
    counted = prove.learned_from_kept("", world, SMALL)
    without = prove.only_those_sessions_left_out("", world, SMALL)
    assert counted.error < -0.04
    assert without.error > 0.02


@table(
    ("name", "held", "verdicts", "is_wrong"),
    [
        ("helps", 95, {"helps": 10}, False),
        ("helps", 92, {"helps": 10}, True),
        ("helps", 98, {"helps": 10}, True),
        ("inert, 50 %", 95, {"no effect shown": 97, "helps": 3}, False),
        ("inert, 50 %", 95, {"no effect shown": 90, "helps": 10}, True),
        ("harms: 20 % to 50 %", 95, {"harms": 6, "no effect shown": 4}, False),
        ("harms: 20 % to 50 %", 95, {"harms": 4, "no effect shown": 6}, True),
        (MODEL_AT_ACTIVATION, 95, {"not enough data": 10}, False),
        (MODEL_AT_ACTIVATION, 95, {"not enough data": 99, "helps": 1}, True),
    ],
)
def test_what_makes_the_evaluation_fail(name: str, held: int, verdicts: dict[str, int], is_wrong: bool) -> None:
    assert bool(prove.problems([Row(name, 100, held, 0.0, 0.1, Counter(verdicts))])) is is_wrong
