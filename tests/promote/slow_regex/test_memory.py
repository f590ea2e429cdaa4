"""Verdicts about patterns: found once, the same in every process from then on, and never a reason to fail."""

import json
import math
import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from lessons import paths
from lessons.cli.verbs.try_verb import _near_misses
from lessons.match.call import ToolCall
from lessons.promote.slow_regex import memory, trial
from lessons.promote.slow_regex.hostile import Shape
from lessons.promote.slow_regex.memory import remembering
from lessons.promote.slow_regex.probe import find_danger
from lessons.store import slow_patterns
from tests.builders.home import DataHome
from tests.builders.lessons import in_own_words, lesson
from tests.tables import table

SLOW, QUICK = "^(a+)+$", r"\w+=\S+ make"
Clock = Callable[[re.Pattern[str], Shape, int], float]


@pytest.fixture(autouse=True)
def _new_process() -> Iterator[None]:
    memory.forget_all()
    yield
    memory.forget_all()


@pytest.fixture
def home(tmp_path: Path) -> DataHome:
    return DataHome(tmp_path)


def nobody_may_try(monkeypatch: pytest.MonkeyPatch) -> None:
    def judge(*_: object) -> str | None:
        raise AssertionError("the pattern was tried again")

    monkeypatch.setattr("lessons.promote.slow_regex.probe.judge", judge)


# What must not happen.


def test_without_a_home_nothing_is_made(tmp_path: Path) -> None:
    with remembering(str(tmp_path / "none")):
        assert find_danger(SLOW, 0)
    assert not (tmp_path / "none").exists()


@table(
    "text",
    ["", "{", "[]", '{"verdicts": {}}', '{"foundBy": "another", "verdicts": {"x": ""}}', "\xff", "[" * 5000],
)
def test_a_file_that_says_nothing_is_no_verdict(text: str, tmp_path: Path) -> None:
    Path(paths.slow_patterns_file(str(tmp_path))).write_text(text)
    assert slow_patterns.read(str(tmp_path)) == {}
    memory.forget_all()
    with remembering(str(tmp_path)):
        assert find_danger(SLOW, 0) and find_danger(QUICK, 0) is None
    assert len(slow_patterns.read(str(tmp_path))) == 2


def test_values_that_are_no_verdict_are_passed_over(home: DataHome) -> None:
    slow_patterns.add(home.path, {"a": "slow"})
    file = Path(paths.slow_patterns_file(home.path))
    document = json.loads(file.read_text())
    file.write_text(json.dumps({**document, "verdicts": {"a": "slow", "b": 7, "c": None}}))
    assert slow_patterns.read(home.path) == {"a": "slow"}


def test_a_home_that_cannot_be_written_only_costs_time(home: DataHome) -> None:
    os.mkdir(paths.slow_patterns_file(home.path))
    with remembering(home.path):
        assert find_danger(SLOW, 0)


def test_other_patterns_of_the_process_are_not_written_down(home: DataHome) -> None:
    find_danger("(b+)+$", 0)
    with remembering(home.path):
        find_danger(QUICK, 0)
    assert len(slow_patterns.read(home.path)) == 1


# What is remembered.


def test_a_later_process_tries_nothing_again(home: DataHome, monkeypatch: pytest.MonkeyPatch) -> None:
    with remembering(home.path):
        before = [find_danger(source, 0) for source in (SLOW, QUICK)]
    memory.forget_all()
    nobody_may_try(monkeypatch)
    with remembering(home.path):
        assert [find_danger(source, 0) for source in (SLOW, QUICK)] == before
    assert before[0] and before[1] is None


def test_flags_and_limit_belong_to_the_pattern(home: DataHome) -> None:
    assert len({memory.key_of("a", flags, limit) for flags in (0, 2) for limit in (0.05, 0.1)}) == 4


def test_try_and_build_do_not_try_slow_patterns_again(home: DataHome, monkeypatch: pytest.MonkeyPatch) -> None:
    slow = [lesson(f"slow-{n}", triggers={"commandPatterns": [f"^{n}(a+)+$"]}) for n in range(3)]
    resting = lesson("resting", stage="retired", triggers={"commandPatterns": ["^x(b+)+$"]})
    built = home.publish(*map(in_own_words, [*slow, resting]))
    assert len(built.excluded) == 4
    call = ToolCall("Bash", {"command": "x bbb"})
    _near_misses(home.path, call)
    memory.forget_all()
    nobody_may_try(monkeypatch)
    _near_misses(home.path, call)
    assert home.publish().excluded == built.excluded


def test_the_oldest_are_dropped(home: DataHome, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slow_patterns, "_MOST_VERDICTS", 3)
    slow_patterns.add(home.path, {"a": "", "b": ""})
    slow_patterns.add(home.path, {"c": "", "d": ""})
    assert set(slow_patterns.read(home.path)) == {"a", "c", "d"}


# Near the limit.


def clock_of(times: list[float]) -> Clock:
    """Each search takes what the list says; then no time at all."""
    left = iter(times)
    return lambda compiled, shape, length: next(left, 0.0)


@table(
    ("times", "slow"),
    [
        ([0.06, 0.06, 0.049], False),  # noise makes a search slower, never quicker
        ([0.06, 0.049], False),
        ([0.06, 0.055, 0.051], True),
        ([math.inf], True),  # it was stopped: nothing more to try
        ([0.049, 0.049], False),
    ],
)
def test_what_is_hardly_too_slow_is_tried_again(times: list[float], slow: bool) -> None:
    assert (trial.judge("(a+)+b", 0, 0.05, clock_of(times)) is not None) is slow


def test_a_pattern_near_the_limit_is_decided_once(home: DataHome, monkeypatch: pytest.MonkeyPatch) -> None:
    """The machine may be busy or idle: whoever came first has decided."""
    verdicts = iter([None, "It takes more than 50 ms.", None])
    monkeypatch.setattr("lessons.promote.slow_regex.probe.judge", lambda *_: next(verdicts))
    found = []
    for _ in range(3):
        memory.forget_all()
        with remembering(home.path):
            found.append(find_danger("near (a+)b", 0))
    assert found == [None] * 3
