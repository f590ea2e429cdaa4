"""Threads that several processes mine give what one process finds, in the same order."""

from array import array
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from lessons.capture import parallel_mining
from lessons.capture.parallel_mining import mine
from lessons.capture.pool import Pool
from lessons.capture.thread_mining import MinedThread, ThreadTask, in_turn
from lessons.episode import Step
from lessons.mistakes.features import features_of, keys_of
from lessons.store.consent import Consent
from lessons.store.history.threads import PromptRow
from tests.builders.steps import HOME, failed, ran, thread

WINDOW = 8
FEATURES = array("I", keys_of(features_of("Bash", None, "ls", HOME))).tobytes()
MISTAKE = (failed("gh pr diff --stat", "unknown flag: --stat"), ran("gh pr diff"))


def task(number: int, steps: list[Step]) -> ThreadTask:
    """Every third one has a prompt; truth values are numbers, as in a row of the database."""
    prompt = PromptRow("2026-01-31T23:00:00.000Z", number, "No, never run `gh pr diff` with --stat here.", "sure")
    stored: Any = [msgspec.structs.replace(step, suspicious=0, hides_exit=int(step.hides_exit)) for step in steps]
    return ThreadTask(f"s{number}", stored, [prompt] * (number % 3 == 0), (0, len(steps)), 0, WINDOW)


def tasks(count: int) -> list[ThreadTask]:
    return [task(number, thread(*[ran("ls")] * (number * 37 % 90), *MISTAKE)) for number in range(count)]


@pytest.fixture
def pool() -> Iterator[Pool]:
    pool = Pool(Consent(), 3)
    yield pool
    pool.stop()


def test_the_same_in_the_same_order(pool: Pool) -> None:
    expected = list(in_turn(tasks(200)))
    assert list(mine(pool, iter(tasks(200)))) == expected
    assert [row.session_id for mined in expected for row in mined.episodes] == [f"s{number}" for number in range(200)]
    assert sum(len(mined.corrections) for mined in expected) == 67


def test_nothing_to_mine(pool: Pool) -> None:
    assert list(mine(pool, [])) == []
    assert list(mine(pool, [task(1, thread(ran("ls")))])) == [MinedThread(features={"call-0": FEATURES})]


def test_one_that_workers_cannot_take_is_mined_here(pool: Pool) -> None:
    broken = [msgspec.structs.replace(each, window=None) for each in tasks(20)]
    expected = list(in_turn(broken))
    assert list(mine(pool, broken)) == expected
    assert [mined.faults != [] for mined in expected] == [True] * 20


def test_one_that_is_larger_than_a_pipe(pool: Pool) -> None:
    long = failed("make all", "x" * 3_000_000 + "\nmake: *** No rule to make target 'all'. Stop.")
    some = [task(number, thread(long, *MISTAKE, *[ran("ls")] * 30)) for number in range(4)]
    assert list(mine(pool, iter(some))) == list(in_turn(some))


def test_only_so_many_are_taken_ahead(pool: Pool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parallel_mining, "_MOST_WAITING_CALLS", 300)
    taken: list[int] = []

    def counted() -> Iterator[ThreadTask]:
        for each in tasks(300):
            taken.append(len(each.steps))
            yield each

    done = 0
    for _ in mine(pool, counted()):
        assert sum(taken[done:]) < 300 + 92
        done += 1
    assert done == 300


def test_workers_that_died_before(pool: Pool) -> None:
    for worker in pool.workers:
        worker.process.kill()
        worker.process.wait()
    assert list(mine(pool, tasks(50))) == list(in_turn(tasks(50)))
