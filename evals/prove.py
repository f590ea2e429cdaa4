"""How often the intervals of `prove` hold a truth that is known: `python -m evals.prove [LESSONS]`.

Every history is made by tests/builders/simulated.py from a fixed seed, so two runs print the same table.
"""

import random
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import NamedTuple

from lessons.opportunity import Opportunity
from lessons.prove.effect import Difference, Effect, Stratum, difference, effect_of, holdout_effect, pool, verdict_of
from tests.builders.simulated import Lesson, World, lesson

LESSONS = 2000  # for each row
LOWEST, HIGHEST = 0.93, 0.97
_MOST_CREDITED = 0.05  # of the inert lessons
_LEAST_CAUGHT = 0.5  # of those that make 20 % of failures 50 %
_LESSONS_TOGETHER = 10
MODEL_AT_ACTIVATION = "inert, better model from activation on"
_TWO_AGENTS = (("claude-code", 1.0), ("codex", 0.5))

WORLDS = {
    "helps: 30 % to 12 %": World({"a": 0.3}, left=0.4),
    "helps a little, rare: 10 % to 5 %": World({"a": 0.1}, left=0.5, shadow_sessions=20, active_sessions=60),
    "helps, very rare: 5 % to 1 %": World({"a": 0.05}, left=0.2, shadow_sessions=30, active_sessions=60),
    "helps, 6 sessions on each side": World({"a": 0.4}, left=0.5, shadow_sessions=6, active_sessions=6),
    "inert, 50 %": World({"a": 0.5}),
    "inert, 15 %": World({"a": 0.15}),
    "harms: 20 % to 50 %": World({"a": 0.2}, left=2.5),
    "helps, calls of a session alike": World({"a": 0.3}, left=0.4, noise=0.3),
    "inert, calls of a session very alike": World({"a": 0.3}, noise=0.5),
    "helps, three agents": World({"a": 0.3}, left=0.4, agents=(*_TWO_AGENTS, ("opencode", 1.5))),
    "helps, 20 % rejected or interrupted": World({"a": 0.3}, left=0.4, unknown=0.2),
    MODEL_AT_ACTIVATION: World({"a": 0.4, "b": 0.05}, newer_model="b", changes_at_activation=True),
    "inert, better model in the middle": World({"a": 0.4, "b": 0.05}, newer_model="b"),
    "helps, better model in the middle": World({"a": 0.4, "b": 0.1}, left=0.4, newer_model="b"),
    "helps, all of it at once": World(
        {"a": 0.3, "b": 0.15}, left=0.4, newer_model="b", noise=0.2, unknown=0.2, agents=_TWO_AGENTS, active_sessions=40
    ),
    "inert, activated for its share in shadow": World(
        {"a": 0.5}, shadow_sessions=60, active_sessions=40, shadow_precision=0.3
    ),
}


class Row(NamedTuple):
    """How many intervals held the truth, how far the estimates lie from it, and what was concluded."""

    name: str
    intervals: int
    held: int
    error: float
    width: float
    verdicts: Counter[str]

    @property
    def coverage(self) -> float:
        return self.held / self.intervals if self.intervals else float("nan")


Seen = tuple[Difference | None, float, str]


def row(name: str, seen: Iterable[Seen]) -> Row:
    everything = list(seen)
    found = [(each, truth) for each, truth, _ in everything if each is not None]
    number = max(1, len(found))
    return Row(
        name,
        len(found),
        sum(not each.excludes(truth) for each, truth in found),
        sum(each.middle - truth for each, truth in found) / number,
        sum(each.high - each.low for each, _ in found) / number,
        Counter(verdict for _, _, verdict in everything),
    )


def truth_of(strata: Sequence[Stratum], lessons: dict[str, Lesson]) -> float:
    """Over the same mix of lessons, models and agents as the estimate."""
    total = sum(each.weight for each in strata)
    return sum(each.weight / total * lessons[each.key[0]].truth(*each.key[1:]) for each in strata) if total else 0.0


def of_one_lesson(name: str, world: World, number: int) -> Row:
    return row(name, (_judged(effect_of(made.opportunities, made.learned_from), made) for made in _made(world, number)))


def learned_from_kept(name: str, world: World, number: int) -> Row:
    """The control: what was seen before the lesson was learned is counted as any other call."""
    return row(name, (_judged(effect_of(made.opportunities), made) for made in _made(world, number)))


def only_those_sessions_left_out(name: str, world: World, number: int) -> Row:
    """The other control: of the time before, only sessions without the mistake are left."""
    return row(name, (_judged(effect_of(list(_without(made))), made) for made in _made(world, number)))


def _without(made: Lesson) -> Iterator[Opportunity]:
    return (each for each in made.opportunities if each.session not in made.learned_from)


def _made(world: World, number: int) -> Iterator[Lesson]:
    return (lesson(world, seed) for seed in range(number))


def _judged(effect: Effect, made: Lesson) -> Seen:
    slug = made.opportunities[0].lesson
    return effect.difference, truth_of(effect.strata, {slug: made}), effect.verdict


def many_lessons(chance: random.Random, holdout: float = 0.0) -> list[Lesson]:
    """Lessons of one person: each with its own share, effect and number of sessions."""
    made = []
    for _ in range(_LESSONS_TOGETHER):
        share = chance.betavariate(2, 5)
        world = World(
            {"a": share, "b": 0.6 * share},
            left=chance.choice((0.2, 0.4, 0.6, 1.0, 1.0)),
            shadow_sessions=chance.randint(3, 25),
            active_sessions=chance.randint(5, 40),
            newer_model="b" if holdout else "",
            agents=_TWO_AGENTS if holdout else (("claude-code", 1.0),),
            noise=0.1,
            holdout=holdout,
        )
        made.append(lesson(world, chance.randrange(10**9)))
    return made


def pooled(number: int) -> Row:
    """The effect of all lessons together."""
    seen: list[Seen] = []
    for seed in range(number // 2):
        lessons = {made.opportunities[0].lesson: made for made in many_lessons(random.Random(seed))}
        effects = [effect_of(made.opportunities, made.learned_from) for made in lessons.values()]
        strata = [stratum for effect in effects for stratum in effect.strata]
        seen.append((pool(effects).mean, truth_of(strata, lessons), verdict_of(difference(strata), strata)))
    return row("ten lessons together", seen)


def held_out(name: str, rate: float, number: int) -> Row:
    seen: list[Seen] = []
    for seed in range(number // 2):
        made = many_lessons(random.Random(seed), holdout=rate)
        lessons = {each.opportunities[0].lesson: each for each in made}
        found = holdout_effect([call for each in made for call in each.opportunities], rate)
        seen.append((found.difference, truth_of(found.strata, lessons), found.verdict))
    return row(name, seen)


def table(rows: Iterable[Row]) -> str:
    columns = ("history", "intervals", "hold the truth", "mean error", "mean width", *_VERDICTS)
    lines = [f"| {' | '.join(columns)} |", "| --- |" + " ---: |" * (len(columns) - 1)]
    for each in rows:
        total = sum(each.verdicts.values())
        shares = [f"{each.verdicts[verdict] / total:.1%}" for verdict in _VERDICTS]
        coverage = f"{each.coverage:.1%}" if each.intervals else "-"
        cells = (each.name, f"{each.intervals:,}", coverage, f"{each.error:+.3f}", f"{each.width:.2f}", *shares)
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


_VERDICTS = ("helps", "no effect shown", "harms", "not enough data")
_CHOSEN = World({"a": 0.15}, shadow_sessions=4, active_sessions=40, history_begins=8)


def rows(number: int = LESSONS) -> tuple[list[Row], list[Row]]:
    """Those that have to hold, and the controls, which show what would go wrong."""
    with ProcessPoolExecutor() as workers:
        single = [workers.submit(of_one_lesson, name, world, number) for name, world in WORLDS.items()]
        together = workers.submit(pooled, number)
        holdouts = [
            workers.submit(held_out, f"hints withheld in {rate:.0%}, ten lessons", rate, number)
            for rate in (0.1, 0.2, 0.5)
        ]
        controls = [
            workers.submit(learned_from_kept, "control: sessions it was learned from counted", _CHOSEN, number),
            workers.submit(only_those_sessions_left_out, "control: only those sessions left out", _CHOSEN, number),
            workers.submit(of_one_lesson, "they and all before them left out, as `prove` does", _CHOSEN, number),
        ]
        found = [each.result() for each in single] + [together.result()] + [each.result() for each in holdouts]
        return found, [each.result() for each in controls]


def main(number: int = LESSONS) -> int:
    """Prints the table; 1 where the intervals of a row hold the truth too seldom or too often, or a verdict is off."""
    found, controls = rows(number)
    intervals, held = sum(each.intervals for each in found), sum(each.held for each in found)
    print(table(found))
    print(f"\nAll {intervals:,} intervals: {held / intervals:.1%} hold the truth (wanted in each row: 93 % to 97 %)\n")
    print("Regression to the mean: an inert lesson, learned because the mistake was made in two of eight sessions\n")
    print(table(controls))
    wrong = problems(found)
    for problem in wrong:
        print(f"WRONG {problem}", file=sys.stderr)
    return 1 if wrong else 0


def problems(found: Iterable[Row]) -> list[str]:
    """What must not be: coverage outside of its limits, credit for an inert lesson, harm that goes unseen."""
    wrong = []
    for each in found:
        shares = {verdict: each.verdicts[verdict] / max(1, sum(each.verdicts.values())) for verdict in _VERDICTS}
        if each.intervals and not LOWEST <= each.coverage <= HIGHEST:
            wrong.append(f"{each.name}: {each.coverage:.1%} of the intervals hold the truth")
        if each.name.startswith("inert") and shares["helps"] > _MOST_CREDITED:
            wrong.append(f"{each.name}: {shares['helps']:.1%} are said to help")
        if each.name.startswith("harms") and shares["harms"] < _LEAST_CAUGHT:
            wrong.append(f"{each.name}: only {shares['harms']:.1%} are caught")
        if each.name == MODEL_AT_ACTIVATION and shares["not enough data"] < 1:
            wrong.append(f"{each.name}: the model is credited to the lesson")
    return wrong


if __name__ == "__main__":
    sys.exit(main(*(int(each) for each in sys.argv[1:])))
