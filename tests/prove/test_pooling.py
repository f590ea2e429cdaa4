"""All lessons together: when there is no result, and what they show that none of them can."""

from lessons.prove.effect import Effect, effect_of, pool
from tests.builders.simulated import World, lesson


def effects(worlds: list[World]) -> list[Effect]:
    made = [lesson(world, seed) for seed, world in enumerate(worlds)]
    return [effect_of(each.opportunities, each.learned_from) for each in made]


def test_nothing_is_said_of_one_lesson() -> None:
    assert pool([]) == (0, None)
    assert pool(effects([World({"a": 0.4})])).mean is None
    unseen = effects([World({"a": 0.4}, active_sessions=0), World({"a": 0.4}, active_sessions=0)])
    assert pool(unseen) == (0, None)


def test_inert_lessons_have_no_effect_together() -> None:
    mean = pool(effects([World({"a": 0.3})] * 12)).mean
    assert mean is not None
    assert mean.low < 0 < mean.high


def test_many_lessons_show_what_one_of_them_cannot() -> None:
    found = effects([World({"a": 0.3}, left=0.3)] * 12)
    together = pool(found)
    assert together.mean is not None
    assert together.mean.high < 0
    assert sum(each.verdict == "helps" for each in found) < 12
    assert together.lessons == 12


def test_lessons_that_all_show_the_same_still_have_a_range() -> None:
    never = [World({"a": 0.0, "b": 0.0}, failing_sessions=0)] * 3
    mean = pool(effects(never)).mean
    assert mean is not None
    assert mean.low < 0 < mean.high
