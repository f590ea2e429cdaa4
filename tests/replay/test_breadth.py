"""Lessons that fire on too many calls are found by a sample."""

from pathlib import Path

import msgspec
import pytest

from lessons import config
from lessons.model import Lesson, Scope, Triggers
from lessons.replay import learner
from lessons.replay.learner import Breadth
from lessons.store.history.history import History
from tests.builders.past import SHOP, Past, failed, home_with

NUMBER = 400
WORDS = Lesson(id="x", slug="x", summary="", problem="", solution="", scope=Scope(type="project", path=SHOP))
TRIGGERS = {
    "start": Triggers(session_start=True),
    "rare": Triggers(command_patterns=["rare"]),
    "lamp": Triggers(command_patterns=["lamp"]),
    "wick": Triggers(error_patterns=["wick"]),
    "tool": Triggers(tool_names=["Bash"]),
}


def fill(home: Path) -> None:
    """One call in eight is about `lamp`, one in eight fails for the wick, one in a hundred is about `rare`."""
    calls = []
    for number in range(NUMBER):
        command = "rare" if number % 100 == 0 else "lamp" if number % 8 == 1 else "ls"
        line = f"{command} {number}"
        calls.append(failed(line, "no wick") if number % 8 == 5 else Past(command=line))
    home_with(home, *calls)


@pytest.mark.parametrize("sample", [NUMBER, 300])
def test_what_fires_on_too_many_calls(sample: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(tmp_path)
    monkeypatch.setattr(learner, "SAMPLE", sample)
    product = Breadth()
    with History.for_reading(str(tmp_path)) as history:
        for call in history.calls.of_session("s1"):
            product.add(call)
        settings = config.load(str(tmp_path), {"LESSONS_MAX_TRIGGER_SHARE": "0.1"})
        broad = []
        for name, triggers in TRIGGERS.items():
            found = product.tested(history, settings, msgspec.structs.replace(WORDS, triggers=triggers), [])
            broad += [name] if found.too_broad else []
    assert broad == ["lamp", "wick", "tool"]


def test_a_small_share_counts_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(tmp_path)
    monkeypatch.setattr(learner, "SAMPLE", 300)
    product = Breadth()
    with History.for_reading(str(tmp_path)) as history:
        for call in history.calls.of_session("s1"):
            product.add(call)
        settings = config.load(str(tmp_path), {"LESSONS_MAX_TRIGGER_SHARE": "0.005"})
        rare = msgspec.structs.replace(WORDS, triggers=TRIGGERS["rare"])
        assert product.tested(history, settings, rare, []).too_broad


def test_every_call_may_be_in_the_sample(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(tmp_path)
    monkeypatch.setattr(learner, "SAMPLE", 100)
    product = Breadth()
    with History.for_reading(str(tmp_path)) as history:
        for call in history.calls.of_session("s1"):
            product.add(call)
    places = sorted(int(name[1:]) for name in product._sample)
    assert len(set(places)) == 100
    assert 30 < sum(place < NUMBER // 2 for place in places) < 70
    assert places[0] < 40
    assert places[-1] >= NUMBER - 40
