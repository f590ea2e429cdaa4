"""Opportunities of lessons with a known truth: base rates, an effect, models that come and go."""

import random
from typing import NamedTuple

from lessons.prove.effect import Opportunity


class World(NamedTuple):
    """The share of opportunities with a mistake, for each model, and what an active lesson leaves of it."""

    rates: dict[str, float]
    left: float = 1.0  # 0.3: seven of ten mistakes are prevented; 1.0: an inert lesson; above: a harmful one
    shadow_sessions: int = 15
    active_sessions: int = 25
    newer_model: str = ""  # takes over in the middle of the active time
    takes_over_at_activation: bool = False


class Lesson(NamedTuple):
    opportunities: list[Opportunity]
    learned_from: frozenset[str]
    truth: float  # by how much the share became less, with the same model


def lesson(world: World, seed: int) -> Lesson:
    """A lesson that was learned because the mistake was made in two sessions: before that nobody knew of it."""
    chance = random.Random(seed)
    made: list[Opportunity] = []
    failed_in: list[str] = []
    model, rate = next(iter(world.rates.items()))
    number = 0
    while len(failed_in) < 2:
        calls = _session(chance, number, model, rate, is_active=False)
        made += calls
        failed_in += [calls[0].session] if any(each.failed for each in calls) else []
        number += 1
    for place in range(world.shadow_sessions + world.active_sessions):
        is_active = place >= world.shadow_sessions
        change = world.shadow_sessions + (0 if world.takes_over_at_activation else world.active_sessions // 2)
        if world.newer_model and place >= change:
            model = world.newer_model
        rate = world.rates[model] * (world.left if is_active else 1)
        made += _session(chance, number + place, model, min(1.0, rate), is_active)
    first = next(iter(world.rates.values()))
    return Lesson(made, frozenset(failed_in), first * (1 - world.left))


def _session(chance: random.Random, number: int, model: str, rate: float, is_active: bool) -> list[Opportunity]:
    return [
        Opportunity(f"{number:06}.{call}", f"s{number}", model, "claude-code", chance.random() < rate, is_active)
        for call in range(chance.choice((1, 1, 1, 2, 3)))
    ]
