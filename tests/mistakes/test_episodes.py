"""What a failed call weighs, which later call worked, and of what kind the mistake was."""

import json
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lessons.episode import Kind, Step
from lessons.errors import Refused
from lessons.mistakes.episodes import (
    MOST_NUMBERS,
    first_retry,
    is_remedy,
    kind_of_mistake,
    similar_after,
    weigh,
    weight_features,
    weights,
)
from lessons.mistakes.failed_call import ENOUGH, VARIABLE, WORD
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
    monkeypatch.setenv(VARIABLE, str(file))
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
    monkeypatch.setenv(VARIABLE, str(file))
    with pytest.raises(
        Refused, match=r"w\.json is not a usable file of weights \(.+\): correct LESSONS_MEMORY_WEIGHTS"
    ):
        weights()


def retry_of(steps: list[Step]) -> int | None:
    return first_retry(steps, 0, similar_after(steps, 0, window=8))


WRONG = failed("gh pr diff 7 --stat", "unknown flag: --stat")
RIGHT = ran("gh pr diff 7 --name-only")


@table(
    "steps",
    [
        [WRONG],
        [WRONG, ran("ls src")],
        [WRONG, failed("gh pr diff 7 --stats", "unknown flag: --stats")],
        [WRONG, ran("gh pr diff 7 --stat")],  # identical: it passed by itself
        [WRONG, msgspec.structs.replace(RIGHT, suspicious=True)],
        [WRONG, *[ran("ls src")] * 8, RIGHT],  # too far
        [failed("npm publish --tagg x", "unknown option"), ran("npm publish --help")],
        [used("Edit", outcome="failed", error="no match", path="/a", old_string="x"), used("Read", path="/b/c")],
        # Another action, however many words it shares.
        [failed("gh pr merge 7 --squash --auto", "not allowed"), ran("gh pr close 7 --squash --auto")],
        [failed("bun run test", "1 fail"), ran("bun run lint")],
        [failed("cat a/b.py", "denied"), used("Read", file_path="a/b.py")],
    ],
)
def test_no_fix(steps: list[Step]) -> None:
    assert retry_of(thread(*steps)) is None


@table(
    "steps, place",
    [
        ([WRONG, RIGHT], 1),
        ([WRONG, ran("ls src"), RIGHT, ran("gh pr diff 7")], 2),
        ([failed("git rebase -i HEAD~3", "timed out"), ran("GIT_EDITOR=true git rebase -i HEAD~3")], 1),
        ([failed("python a.py", "not found"), ran("python3 a.py")], 1),
        ([failed("npm test", "no script"), ran("cd web && npm test")], 1),
        ([failed("rtk bun run test", "no such command"), ran("bun run test")], 1),
        ([failed("python -m pytest a.py", "no module"), ran("uv run python -m pytest a.py")], 1),
        ([failed("git -C /srv status", "unexpected argument"), ran("git status")], 1),
        ([failed("git checkout main", "pathspec 'main' did not match"), ran("git checkout master")], 1),
        ([failed("cat a/b.py", "Use Read instead"), used("Read", file_path="a/b.py")], 1),
        ([failed("git push", "rejected"), ran("git push --force"), ran("git push -u origin")], 1),
        ([used("Edit", outcome="failed", error="no", p="/a", old="x y"), used("Edit", p="/a", old="x z")], 1),
    ],
)
def test_the_first_retry_that_worked(steps: list[Step], place: int) -> None:
    assert retry_of(thread(*steps)) == place


def test_a_call_that_began_before_the_failure_was_known_does_not_answer_it() -> None:
    wrong, right = thread(WRONG, RIGHT)
    assert retry_of([wrong, msgspec.structs.replace(right, time=wrong.time)]) is None


@table(
    "step",
    [
        ran("git push --force"),
        ran("gh pr merge 7 --admin"),
        ran("git commit -m x --no-verify"),
        ran("git reset --hard && git pull"),
        ran("rm -rf build && make all"),
        used("mcp__files__delete_file", name="a"),
        used("mcp__git__push", branch="main", force=True),
        used("mcp__http__send", method="DELETE"),
        used("mcp__shell__run", command=["sh", "-c", "cd a\nrm -rf b"]),
    ],
)
def test_no_remedy(step: Step) -> None:
    assert not is_remedy(step)


@table(
    "step",
    [
        RIGHT,
        used("Edit", old_string="git push --force", new_string="rm -rf x"),  # a text, not a call
        used("Grep", pattern="delete"),
        used("mcp__git__push", branch="main", force=False),
        used("mcp__files__move_file", name="removed.txt"),
    ],
)
def test_remedy(step: Step) -> None:
    assert is_remedy(step)


@table(
    "failure, fix, kind",
    [
        (failed("gh pr diff --stat"), None, "telling-error"),
        (failed("gh pr diff --stat", "unknown flag: --stat"), ran("gh pr diff --name-only"), "wrong-flag"),
        (failed("gti status", "command not found: gti", code=127), ran("git status"), "missing-tool"),
        (failed("python a.py", "Python was not found", code=49), ran("python3 a.py"), "wrong-command"),
        (failed("npm rn lint", "Unknown command: rn"), ran("npm run lint"), "wrong-command"),
        (failed("npm test", "no package.json"), ran("cd web && npm test"), "wrong-path"),
        (failed("cd web && npm test", "cd: no such file or directory: web"), ran("npm test"), "wrong-path"),
        (failed("cat web/a.ts", "web/a.ts: No such file"), ran("cat app/web/a.ts"), "wrong-path"),
        (failed("echo hi!", "event not found"), ran("echo 'hi!'"), "quoting"),
        (failed("git rebase -i", "timed out"), ran("GIT_EDITOR=true git rebase -i"), "order-of-steps"),
        (failed("make all", "no build"), ran("make build && make all"), "order-of-steps"),
        (used("Edit", outcome="failed", error="x", limit=1), used("Edit", limit="a"), "wrong-arguments"),
        (failed("cat a.py", "no"), used("Read", file_path="a.py"), "other-tool"),
    ],
)
def test_kind(failure: Step, fix: Step | None, kind: Kind) -> None:
    assert kind_of_mistake(failure, fix) == kind
