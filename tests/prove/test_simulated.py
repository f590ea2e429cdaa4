"""From transcripts and the hook's log to the effect: the same as directly from the simulated truth."""

from pathlib import Path

from lessons.prove.effect import document, effect_of
from lessons.prove.stats import stats_of
from tests.builders.simulated import World, lesson
from tests.builders.simulated_home import SimulatedHome
from tests.tables import table


@table(
    ("world", "seed", "verdict"),
    [
        (World({"a": 0.5}), 3, "no effect shown"),
        (World({"a": 0.6, "b": 0.5}, left=0.1, newer_model="b", noise=0.1), 4, "helps"),
        (World({"a": 0.2}, left=4.0), 5, "harms"),
        (World({"a": 0.5, "b": 0.1}, newer_model="b", changes_at_activation=True), 6, "not enough data"),
    ],
)
def test_a_whole_history_says_what_was_simulated(tmp_path: Path, world: World, seed: int, verdict: str) -> None:
    made = lesson(world, seed)
    written = SimulatedHome(tmp_path / str(seed), made)
    written.scan()
    (found,) = stats_of(written.path).lessons
    expected = effect_of(made.opportunities, made.learned_from)
    assert document(found.effect) == document(expected)
    assert found.effect.verdict == verdict
