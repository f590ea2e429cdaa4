"""All lessons together: when there is no result, and how a lesson is shrunk towards the others."""

from lessons.prove.effect import Effect, effect_of, pool
from tests.builders.simulated import World, lesson


def effects(worlds: list[World]) -> dict[str, Effect]:
    made = [lesson(world, seed) for seed, world in enumerate(worlds)]
    return {each.opportunities[0].slug: effect_of(each.opportunities, each.learned_from) for each in made}


def test_nothing_is_said_of_one_lesson() -> None:
    assert pool({}) == (0, None, {})
    assert pool(effects([World({"a": 0.4})])).mean is None
    unseen = effects([World({"a": 0.4}, active_sessions=0), World({"a": 0.4}, active_sessions=0)])
    assert pool(unseen) == (0, None, {})


def test_inert_lessons_have_no_effect_together() -> None:
    mean = pool(effects([World({"a": 0.3})] * 12)).mean
    assert mean is not None
    assert mean.low < 0 < mean.high


def test_many_lessons_show_what_one_of_them_cannot() -> None:
    found = effects([World({"a": 0.3}, left=0.3)] * 12)
    together = pool(found)
    assert together.mean is not None
    assert together.mean.high < 0
    assert sum(each.verdict == "helps" for each in found.values()) < 12
    assert together.lessons == 12


def test_a_lesson_is_drawn_towards_the_mean_the_more_the_less_is_known_of_it() -> None:
    known = [World({"a": 0.5}, left=0.5, shadow_sessions=60, active_sessions=60)] * 8
    found = effects([*known, World({"a": 0.5}, shadow_sessions=3, active_sessions=4)])
    together = pool(found)
    assert together.mean is not None
    mean = together.mean.middle
    for slug, effect in found.items():
        drawn, own = together.each[slug], effect.difference
        assert own is not None
        assert abs(drawn.middle - mean) <= abs(own.middle - mean)
        assert drawn.high - drawn.low <= own.high - own.low + 1e-9 or abs(own.middle - mean) > 0.2


def test_lessons_that_all_show_the_same_still_have_a_range() -> None:
    never = [World({"a": 0.0, "b": 0.0}, failing_sessions=0)] * 3
    mean = pool(effects(never)).mean
    assert mean is not None
    assert mean.low < 0 < mean.high
