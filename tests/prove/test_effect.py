"""What a lesson changed: what must not be credited to it, what is found, and how sure that is."""

from lessons.prove.effect import Effect, Opportunity, effect_of
from tests.builders.simulated import World, lesson
from tests.tables import table

LESSONS = 2000


def effects(world: World, number: int) -> list[tuple[Effect, float]]:
    made = [lesson(world, seed) for seed in range(number)]
    return [(effect_of(each.opportunities, each.learned_from), each.truth) for each in made]


def share_of(verdict: str, found: list[tuple[Effect, float]]) -> float:
    return sum(effect.verdict == verdict for effect, _ in found) / len(found)


def test_a_lesson_that_does_nothing_is_not_credited_although_it_was_learned_from_failures() -> None:
    found = effects(World({"a": 0.15}), 600)
    assert share_of("helps", found) <= 0.04
    assert share_of("harms", found) <= 0.04


def test_with_the_sessions_it_was_learned_from_it_would_be_credited() -> None:
    """The control: regression to the mean, which leaving them out takes away."""
    world = World({"a": 0.15}, shadow_sessions=0)
    made = [lesson(world, seed) for seed in range(600)]
    naive = [effect_of(each.opportunities, frozenset()) for each in made]
    spared = sum(effect.less.middle for effect in naive if effect.less) / len(naive)
    assert spared > 0.04


def test_a_better_model_is_not_credited() -> None:
    at_once = World({"a": 0.4, "b": 0.05}, newer_model="b", takes_over_at_activation=True)
    assert share_of("helps", effects(at_once, 200)) == 0
    later = World({"a": 0.4, "b": 0.05}, newer_model="b")
    assert share_of("helps", effects(later, 600)) <= 0.04


def test_one_that_helps_is_found_and_one_that_harms() -> None:
    assert share_of("helps", effects(World({"a": 0.5}, left=0.1), 300)) > 0.9
    assert share_of("harms", effects(World({"a": 0.2}, left=3.5), 300)) > 0.8


@table(
    "world",
    [
        World({"a": 0.3}, left=0.4),
        World({"a": 0.1}, left=0.5, shadow_sessions=20, active_sessions=60),
        World({"a": 0.5}, left=1.0),
        World({"a": 0.3, "b": 0.3}, left=0.4, newer_model="b"),
    ],
)
def test_95_of_100_intervals_hold_the_truth(world: World) -> None:
    found = [(effect.less, truth) for effect, truth in effects(world, LESSONS) if effect.less]
    held = sum(not less.excludes(truth) for less, truth in found)
    assert len(found) > 0.95 * LESSONS
    assert 0.93 <= held / len(found) <= 0.975


def test_too_little_says_how_much_more() -> None:
    few = [Opportunity("2", "s2", "a", "x", True, False), Opportunity("3", "s3", "a", "x", False, True)]
    effect = effect_of(few, frozenset({"s1"}))
    assert effect.verdict == "not enough data"
    assert effect.more_sessions > 3
    assert effect_of([], frozenset()).verdict == "not enough data"
