"""The effect of hints, from withheld ones: what is not counted, and what is found."""

import msgspec

from lessons.prove.effect import holdout_effect
from tests.builders.simulated import World, lesson

HELPS = World({"a": 0.5, "b": 0.4}, left=0.3, holdout=0.3, active_sessions=80, newer_model="b")


def test_nothing_is_said_without_withheld_hints() -> None:
    made = lesson(World({"a": 0.5}, left=0.3), 1)
    found = holdout_effect(made.opportunities, 0.0)
    assert (found.difference, found.verdict, found.more_sessions) == (None, "not enough data", 0)
    assert holdout_effect(made.opportunities, 0.1).more_sessions > 20


def test_shadow_and_stops_are_not_counted() -> None:
    made = lesson(HELPS, 1)
    randomised = [each for each in made.opportunities if each.decision in ("hint", "held-out")]
    others = [each for each in made.opportunities if each.decision == "shadow"]
    stops = [msgspec.structs.replace(each, decision="stop") for each in randomised if each.decision == "hint"]
    assert holdout_effect(randomised + others + stops, 0.3) == holdout_effect(randomised, 0.3)


def test_hints_before_the_first_that_was_withheld_are_not_counted() -> None:
    made = [each for each in lesson(HELPS, 1).opportunities if each.decision in ("hint", "held-out")]
    early = [
        msgspec.structs.replace(each, time="2025" + each.time[4:], failed=True)
        for each in made
        if each.decision == "hint"
    ]
    assert holdout_effect(early + made, 0.3) == holdout_effect(made, 0.3)


def test_hints_after_the_last_that_was_withheld_are_not_counted_once_it_is_switched_off() -> None:
    made = [each for each in lesson(HELPS, 1).opportunities if each.decision in ("hint", "held-out")]
    last = max(each.time for each in made if each.decision == "held-out")
    made = [each for each in made if each.time <= last]
    later = [msgspec.structs.replace(each, time="2027" + each.time[4:], failed=True, decision="hint") for each in made]
    assert holdout_effect(made + later, 0.0) == holdout_effect(made, 0.0)
    assert holdout_effect(made + later, 0.3).shown.calls == holdout_effect(made, 0.3).shown.calls + len(later)


def test_hints_that_help_are_found_and_inert_ones_are_not() -> None:
    helping = [call for seed in range(6) for call in lesson(HELPS, seed).opportunities]
    found = holdout_effect(helping, 0.3)
    assert found.verdict == "helps"
    assert found.more_sessions == 0
    inert = [call for seed in range(6) for call in lesson(HELPS._replace(left=1.0), seed).opportunities]
    found = holdout_effect(inert, 0.3)
    assert (found.verdict, found.more_sessions) == ("no effect shown", 0), "so many were seen that it can tell"
