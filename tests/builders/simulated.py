"""Histories of lessons with a known truth: base rates, an effect, noise, models and agents, and how each was chosen."""

import random
from collections.abc import Iterator
from typing import NamedTuple

from lessons.opportunity import Decision, Opportunity, Outcome

_CALLS_IN_A_SESSION = (1, 1, 1, 2, 3)
_CALLS_IN_SHADOW = 5
_MOST_SESSIONS_TO_LEARN = 2000


class World(NamedTuple):
    """Shares of opportunities with the mistake, what an active lesson leaves of them, and everything that confuses."""

    rates: dict[str, float]  # model -> share without the lesson; the first model comes first
    left: float = 1.0  # 0.3: seven of ten mistakes are prevented; 1.0: an inert lesson; above: a harmful one
    shadow_sessions: int = 15
    active_sessions: int = 25
    newer_model: str = ""  # replaces the first model in the middle of the active time
    changes_at_activation: bool = False
    agents: tuple[tuple[str, float], ...] = (("claude-code", 1.0),)  # with what the share is multiplied by
    noise: float = 0.0  # correlation of the calls of one session: 0.3 is a session that does it again and again
    unknown: float = 0.0  # share of calls that were rejected or interrupted
    failing_sessions: int = 2  # within `recently` sessions: that is when the lesson is learned
    recently: int = 8
    history_begins: int = 0  # this many sessions before the lesson was learned; 0: with the first session
    holdout: float = 0.0
    shadow_precision: float = (
        0.0  # the lesson is activated as soon as this share of five calls in shadow failed, or never
    )


class Lesson(NamedTuple):
    opportunities: list[Opportunity]
    learned_from: frozenset[str]
    world: World

    def truth(self, model: str, agent: str) -> float:
        """How much larger the share is with the lesson, for the same model and agent."""
        without = self.world.rates[model] * dict(self.world.agents)[agent]
        return min(1.0, without * self.world.left) - without


class _Session(NamedTuple):
    number: int
    model: str
    decision: Decision


def lesson(world: World, seed: int) -> Lesson:
    """A lesson that was learned because the mistake was made often enough just then."""
    chance = random.Random(seed)
    slug = f"lesson-{seed}"
    first = next(iter(world.rates))
    made: list[Opportunity] = []
    failing: list[int] = []
    number = 0
    while not _is_learned(world, failing, number):
        # Before it was learned the lesson did not exist: its past is what a back-test finds in the history.
        calls = _calls(chance, world, slug, _Session(number, first, "none"))
        made += calls
        failing += [number] if any(each.failed for each in calls) else []
        number += 1
    if world.history_begins:
        first_kept = f"2026-01-01T{number - world.history_begins:08}"
        made = [each for each in made if each.time >= first_kept]
    learned = len(made)
    for session in _sessions(chance, world, number):
        if session.decision != "shadow" and world.shadow_precision and not _is_precise(world, made[learned:]):
            break
        if session.decision == "shadow" and world.shadow_precision and _is_precise(world, made[learned:]):
            continue
        made += _calls(chance, world, slug, session)
    return Lesson(made, frozenset(_name(slug, each) for each in failing), world)


def _is_precise(world: World, made: list[Opportunity]) -> bool:
    shadow = [each.failed for each in made if each.decision == "shadow" and each.failed is not None]
    return len(shadow) >= _CALLS_IN_SHADOW and sum(shadow) >= world.shadow_precision * len(shadow)


def _is_learned(world: World, failing: list[int], number: int) -> bool:
    recent = [each for each in failing if each > number - 1 - world.recently]
    return len(recent) >= world.failing_sessions or number >= _MOST_SESSIONS_TO_LEARN


def _sessions(chance: random.Random, world: World, number: int) -> Iterator[_Session]:
    first = next(iter(world.rates))
    change = world.shadow_sessions + (0 if world.changes_at_activation else world.active_sessions // 2)
    for place in range(world.shadow_sessions + world.active_sessions):
        model = world.newer_model if world.newer_model and place >= change else first
        decision: Decision = "shadow" if place < world.shadow_sessions else "hint"
        if decision == "hint" and chance.random() < world.holdout:
            decision = "held-out"
        yield _Session(number + place, model, decision)


def _calls(chance: random.Random, world: World, slug: str, session: _Session) -> list[Opportunity]:
    return list(_each_call(chance, world, slug, session))


def _each_call(chance: random.Random, world: World, slug: str, session: _Session) -> Iterator[Opportunity]:
    agent, factor = chance.choice(world.agents)
    is_active = session.decision == "hint"
    share = min(1.0, world.rates[session.model] * factor * (world.left if is_active else 1.0))
    share = _noisy(chance, share, world.noise)
    for call in range(chance.choice(_CALLS_IN_A_SESSION)):
        failed = None if chance.random() < world.unknown else chance.random() < share
        yield Opportunity(
            lesson=slug,
            slug=slug,
            time=f"2026-01-01T{session.number:08}.{call}",
            session=_name(slug, session.number),
            agent=agent,
            model=session.model,
            project="",
            tool_use_id=f"{slug}-{session.number}-{call}",
            decision=session.decision,
            outcome=_outcome(session.decision, failed),
            failed=failed,
            is_active=is_active,
        )


def _noisy(chance: random.Random, share: float, noise: float) -> float:
    """The share of one session: from a beta distribution around the truth."""
    if not noise or not 0 < share < 1:
        return share
    size = 1 / noise - 1
    return chance.betavariate(share * size, (1 - share) * size)


def _outcome(decision: Decision, failed: bool | None) -> Outcome:
    if decision == "held-out":
        return "heldOut"
    if failed is None or decision != "hint":
        return "unknown"
    return "ignoredFailed" if failed else "heeded"


def _name(slug: str, number: int) -> str:
    return f"{slug}-{number}"
