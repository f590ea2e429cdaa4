"""How probable it is that a failure was a mistake: plain failures of work weigh less than misused calls."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lessons.episode import Step
from lessons.errors import Refused
from lessons.mistakes import weight
from lessons.mistakes.weight import ENOUGH, MOST_NUMBERS, WORD, weigh, weight_features, weights
from tests.builders.steps import failed, ran, thread, used
from tests.tables import table

FAILED_TEST = "FAILED tests/test_a.py::test_b - assert 1 == 2\n1 failed, 3 passed"
EDIT = used("Edit", file_path="/srv/shop/a.py", old_string="a", new_string="b")


@table(
    "steps",
    [
        [failed("pytest -q", FAILED_TEST), EDIT, ran("pytest -q")],
        [failed("make lint", "src/a.py:3: error: Missing type\nFound 1 error"), EDIT, ran("make lint")],
        [failed("grep -rn till src", ""), ran("ls")],
    ],
)
def test_work_that_fails_is_no_mistake(steps: list[Step]) -> None:
    assert weigh(thread(*steps), 0) < ENOUGH


@table(
    "steps",
    [
        [failed("gh pr diff 7 --stat", "unknown flag: --stat"), ran("gh pr diff 7 --name-only")],
        [failed("gti status", "bash: gti: command not found", code=127), ran("git status")],
        [failed("cd web && npm test", "cd: no such file or directory: web"), ran("cd ../web && npm test")],
    ],
)
def test_a_wrong_call_that_is_put_right(steps: list[Step]) -> None:
    assert weigh(thread(*steps), 0) >= ENOUGH


@table(
    "steps, name, value",
    [
        ([failed("a")], "after:nothing", 1),
        ([failed("a"), EDIT], "after:edit", 1),
        ([failed("a"), ran("b"), EDIT], "after:edit", 0),
        ([failed("a"), ran("b"), EDIT], "after:edit-soon", 1),
        ([failed("a"), used("read_file", path="/a")], "after:look", 1),
        ([failed("a b"), ran("a b")], "after:same-works", 1),
        ([failed("a b"), failed("a b")], "after:same-fails", 1),
        ([failed("a b"), failed("a c")], "after:fails-again", 1),
        ([failed("a b"), ran("c"), ran("a d")], "after:similar-soon", 0.5),
        ([failed("a", code=127)], "exit:127", 1),
        ([failed("a", code=49)], "exit:other", 1),
        ([used("Edit", outcome="failed", error="no")], "exit:none", 1),
        ([failed("a", "")], "error:empty", 1),
        ([failed("a --bee", "unknown: --bee")], "error:names-option", 1),
        ([failed("a --bee", "unknown")], "error:names-option", 0),
        ([used("Edit", outcome="failed", error="no")], "call:shell", 0),
        ([failed("a && b | c")], "call:commands", pytest.approx(1.0986, abs=1e-3)),
    ],
)
def test_features(steps: list[Step], name: str, value: float) -> None:
    assert weight_features(thread(*steps), 0).get(name, 0) == value


@given(st.lists(st.tuples(st.text(), st.text(), st.booleans()), min_size=1, max_size=9))
def test_any_text_has_a_weight(calls: list[tuple[str, str, bool]]) -> None:
    steps = thread(*(failed(command, error) if fails else ran(command) for command, error, fails in calls))
    assert 0 < weigh(steps, 0) < 1


def test_few_numbers_are_shipped_and_no_word_of_one_repository() -> None:
    shipped = weights()
    assert 50 < len(shipped.weights) < MOST_NUMBERS
    assert shipped.provenance["repositories"]
    named = {word for name in shipped.weights if name.startswith(WORD) for word in name.removeprefix(WORD).split()}
    assert named.isdisjoint("git gh npm pnpm docker python pytest go cargo bash edit read".split())


def test_weights_of_another_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "w.json"
    file.write_text(json.dumps({"bias": 0, "weights": {}}))
    monkeypatch.setenv(weight.VARIABLE, str(file))
    assert weigh(thread(failed("a")), 0) == 0.5


@table(
    "content",
    [
        None,
        "",
        "{",
        "{}",
        '{"bias": "x", "weights": {}}',
        json.dumps({"bias": 0, "weights": dict.fromkeys(map(str, range(400)), 0.0)}),
    ],
)
def test_an_unusable_file_is_named(content: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "w.json"
    if content is not None:
        file.write_text(content)
    monkeypatch.setenv(weight.VARIABLE, str(file))
    with pytest.raises(
        Refused, match=r"w\.json is not a usable file of weights \(.+\): correct LESSONS_MEMORY_WEIGHTS"
    ):
        weights()
