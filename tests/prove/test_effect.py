"""What a lesson changed: what must not be credited to it, what is found, and with which certainty."""

import msgspec

from lessons.opportunity import Opportunity
from lessons.prove.effect import Effect, document, effect_of
from tests.builders.simulated import Lesson, World, lesson
from tests.sizes import size
from tests.tables import table

LESSONS = size("SIMULATED_LESSONS", 150)


def effects(world: World, number: int = LESSONS) -> list[tuple[Effect, Lesson]]:
    made = [lesson(world, seed) for seed in range(number)]
    return [(effect_of(each.opportunities, each.learned_from), each) for each in made]


def share_of(verdict: str, found: list[tuple[Effect, Lesson]]) -> float:
    return sum(effect.verdict == verdict for effect, _ in found) / len(found)


def test_a_lesson_that_does_nothing_is_not_credited_although_it_was_learned_from_failures() -> None:
    found = effects(World({"a": 0.15}))
    assert share_of("helps", found) <= 0.04
    assert share_of("harms", found) <= 0.04
    assert share_of("no effect shown", effects(World({"a": 0.5}))) >= 0.9


def test_with_the_sessions_it_was_learned_from_it_would_be_credited() -> None:
    """The control: regression to the mean, which leaving them out takes away."""
    made = [lesson(World({"a": 0.15}, shadow_sessions=0), seed) for seed in range(LESSONS)]
    naive = [effect_of(each.opportunities).difference for each in made]
    assert sum(each.middle for each in naive if each) / len(naive) < -0.04


def test_a_better_model_is_not_credited() -> None:
    at_once = World({"a": 0.4, "b": 0.05}, newer_model="b", changes_at_activation=True)
    assert share_of("not enough data", effects(at_once)) == 1
    later = World({"a": 0.4, "b": 0.05}, newer_model="b")
    assert share_of("helps", effects(later)) <= 0.04


def test_one_that_helps_is_found_and_one_that_harms() -> None:
    assert share_of("helps", effects(World({"a": 0.5}, left=0.1))) > 0.9
    assert share_of("harms", effects(World({"a": 0.2}, left=3.5))) > 0.8


CALL = lesson(World({"a": 0.5}), 1).opportunities[0]


def made(number: int, **changes: object) -> Opportunity:
    return msgspec.structs.replace(
        CALL, time=f"2026-02-01T00:00:{number:02}", session=f"s{number}", tool_use_id=f"t{number}", **changes
    )


@table(
    "changes",
    [
        {"failed": None},
        {"outcome": "notDelivered", "failed": True},
        {"decision": "missed", "failed": True},
        {"decision": "allowed", "outcome": "overridden", "failed": False, "is_active": False},
        {"failed": True, "model": "another"},
        {"failed": True, "agent": "another"},
    ],
)
def test_what_says_nothing_is_not_counted(changes: dict[str, object]) -> None:
    plain = [made(number, failed=number % 2 == 0, is_active=number >= 10) for number in range(20)]
    more = [made(number, **{"is_active": True, **changes}) for number in range(20, 40)]
    assert effect_of(plain + more) == effect_of(plain)


def test_a_session_it_was_learned_from_that_goes_on_hides_no_other() -> None:
    """It is left out itself, and so is what was before its evidence; what came meanwhile elsewhere counts."""
    plain = [made(number, failed=number % 2 == 0, is_active=number >= 10) for number in range(20)]
    evidence = [msgspec.structs.replace(CALL, session="born", time="2026-01-31", failed=True, decision="none")]
    before = [msgspec.structs.replace(CALL, session="old", time="2026-01-01", failed=True, decision="none")]
    goes_on = [made(number, failed=True, is_active=True, decision="hint") for number in range(20, 30)]
    goes_on = [msgspec.structs.replace(each, session="born") for each in goes_on]
    assert effect_of(before + evidence + plain + goes_on, frozenset({"born"})) == effect_of(plain)


def test_too_little_says_how_much_more() -> None:
    few = [made(2, failed=True, is_active=False), made(3, failed=False, is_active=True)]
    effect = effect_of(few)
    assert effect.verdict == "not enough data"
    assert effect.more_sessions > 3
    assert effect_of([]).verdict == "not enough data"
    assert document(effect_of([]))["difference"] is None


def test_sessions_with_it_alone_are_never_enough() -> None:
    """Nothing without it can be compared: a new model came with it, or it was activated at once."""
    new_model = [made(number, failed=True, model="old") for number in range(8)]
    new_model += [made(number, failed=False, is_active=True) for number in range(8, 40)]
    at_once = [made(number, failed=number % 2 == 0, is_active=True) for number in range(40)]
    assert effect_of(new_model).verdict == effect_of(at_once).verdict == "not enough data"
    assert effect_of(at_once).more_without > 100
    found = effect_of(new_model)
    assert 0 < found.more_without == found.more_sessions < 15, "those with it are enough already, and few tell"


def test_a_common_mistake_needs_fewer_sessions() -> None:
    common = [made(number, failed=number % 3 > 0) for number in range(12)]
    rare = [made(number, failed=number == 0) for number in range(12)]
    assert effect_of(common).more_sessions < effect_of(rare).more_sessions
    assert effect_of(common).more_without < effect_of(common).more_sessions, "it is in shadow"


def test_the_document_says_what_the_difference_is_of() -> None:
    effect = effect_of([made(number, failed=number < 20, is_active=number >= 25) for number in range(50)])
    told = document(effect)
    assert {key: told[key] for key in ("before", "after", "difference", "verdict", "beforeCalls", "afterCalls")} == {
        "before": 0.8,
        "after": 0.0,
        "difference": -0.8,
        "verdict": "helps",
        "beforeCalls": 25,
        "afterCalls": 25,
    }
    assert -1 <= told["low"] < -0.8 < told["high"] < 0


def test_the_order_of_the_rows_changes_nothing() -> None:
    one = lesson(World({"a": 0.3, "b": 0.3}, left=0.4, newer_model="b", noise=0.2, unknown=0.1), 3)
    assert effect_of(reversed(one.opportunities), one.learned_from) == effect_of(one.opportunities, one.learned_from)
