"""What the index of memory holds, and which earlier failure is recalled at a call and at an error."""

from pathlib import Path

import msgspec
import pytest

from lessons.inject.notes import text_of
from lessons.match.call import ToolCall
from lessons.mistakes import recall
from lessons.mistakes.remember import LEAST_WEIGHT, remember
from lessons.scan.run import Options, run
from lessons.store.history.history import History
from lessons.store.memory_index import MemoryIndex, UnusableMemory
from tests.builders.memory import Remembered, failed
from tests.builders.payloads import FOLDER
from tests.builders.transcript import Session

ERROR = "Exit code 1\nerror: unknown option --lux"


@pytest.mark.parametrize(("weight", "is_recalled"), [(LEAST_WEIGHT - 0.01, False), (LEAST_WEIGHT, True)])
def test_a_failure_of_little_weight_is_not_recalled_at_its_error(
    tmp_path: Path, weight: float, is_recalled: bool
) -> None:
    session = Session("one", cwd=FOLDER)
    session.result(session.call("Bash", {"command": "lamp light --lux 4"}), ERROR, error=True)
    session.result(session.call("Bash", {"command": "lamp light 4"}), "lit")
    session.write(tmp_path / "projects")
    home = tmp_path / "home"
    home.mkdir()
    run(str(home), Options([str(tmp_path / "projects")], processes=1))
    with History.opened(str(home)) as history:
        with history.transaction():
            (row,) = history.episodes.all()
            history.episodes.add([msgspec.structs.replace(row, weight=weight)])
        remember(history, is_changed=True)
    call = ToolCall("Bash", {"command": "sh lights.sh"}, cwd=FOLDER)
    found = recall.at_error(MemoryIndex(str(home / "memory-index")), call, ERROR)
    assert (found is not None) is is_recalled


UNKNOWN = "Exit code 1\nerror: unknown option --no-stat"


def call(command: str, cwd: str = FOLDER) -> ToolCall:
    return ToolCall("Bash", {"command": command}, cwd=cwd)


@pytest.fixture
def memory() -> Remembered:
    return Remembered()


def test_silent_where_nothing_is_like_it(memory: Remembered, tmp_path: Path) -> None:
    memory.failures = [failed("git show --no-stat HEAD", UNKNOWN, "git show HEAD")]
    memory.good = [("git show HEAD", FOLDER), ("git status", FOLDER)]
    index = memory.index(tmp_path)
    for line in ("git show HEAD", "git status", "ls -la", "cargo build --no-stat-x"):
        assert recall.at_call(index, call(line)) is None, line
    assert recall.at_error(index, call("ls"), "Exit code 2\nls: cannot access 'x'") is None


def test_silent_about_what_works_as_often(memory: Remembered, tmp_path: Path) -> None:
    memory.failures = [failed("npm test", "Exit code 1\n3 tests failed")]
    memory.good = [("npm test", FOLDER)] * 2
    assert recall.at_call(memory.index(tmp_path), call("npm test")) is None


def test_silent_where_more_calls_like_it_worked(memory: Remembered, tmp_path: Path) -> None:
    """Every feature failed as often as it worked; calls with half of them worked more often."""
    both = "lamp --warm x && torch --dim y"
    memory.failures = [failed(both, "Exit code 1\nerror: no light", "sun --up")]
    memory.good = [("lamp --warm x", FOLDER), ("ls", FOLDER)]
    assert recall.at_call(memory.index(tmp_path), call(both)) is not None
    memory.good = [("lamp --warm x", FOLDER), ("torch --dim y", FOLDER)]
    assert recall.at_call(memory.index(tmp_path), call(both)) is None


def test_one_failure_of_little_weight_is_not_enough(memory: Remembered, tmp_path: Path) -> None:
    memory.failures = [failed("git show --no-stat", UNKNOWN, "git show", weight=0.3)]
    assert recall.at_call(memory.index(tmp_path), call("git show --no-stat")) is None
    memory.failures.append(failed("git log --no-stat", UNKNOWN, "git log", weight=0.3))
    assert recall.at_call(memory.index(tmp_path), call("git show --no-stat")) is not None


def test_recalls_a_failure_at_the_call(memory: Remembered, tmp_path: Path) -> None:
    memory.failures = [failed("git show --no-stat HEAD", UNKNOWN, "git show HEAD", name="toolu_first")]
    memory.good = [("git show HEAD", FOLDER), ("git status", FOLDER)]
    found = recall.at_call(memory.index(tmp_path), call("git show --no-stat main"))
    assert found is not None
    assert found.failure.identifiers == ["toolu_first"]
    assert found.failure.worked == "git show HEAD"
    assert (found.failed, found.worked) == (1, 0)
    assert "--no-stat" in found.feature


def test_recalls_the_nearest_error(memory: Remembered, tmp_path: Path) -> None:
    memory.failures = [
        failed("git show --no-stat HEAD", UNKNOWN, "git show HEAD", name="toolu_option"),
        failed("gh pr merge --auto", "Exit code 1\nAuto merge is not allowed here", "gh pr merge", name="toolu_merge"),
        failed("cat a", "Exit code 1\ncat: a: No such file or directory", "cat b", name="toolu_cat"),
    ]
    found = recall.at_error(memory.index(tmp_path), call("git diff --no-stat"), UNKNOWN)
    assert found is not None and found.failure.identifiers[0] == "toolu_option"


def test_an_error_without_remedy_is_recalled_if_it_surely_was_a_mistake(memory: Remembered, tmp_path: Path) -> None:
    memory.failures = [failed("git show --no-stat HEAD", UNKNOWN, weight=0.4)]
    assert recall.at_error(memory.index(tmp_path), call("git diff --no-stat"), UNKNOWN) is None
    memory.failures = [failed("git show --no-stat HEAD", UNKNOWN, weight=0.5)]
    found = recall.at_error(memory.index(tmp_path), call("git diff --no-stat"), UNKNOWN)
    assert found is not None
    assert text_of(found, is_error=True).endswith("“git show --no-stat HEAD”. No retry that worked is recorded.")


@pytest.mark.parametrize(
    ("before", "after", "quoted"),
    [
        ("ls a", "ls b", ("ls a", "ls b")),
        ("ls a", "", ("ls a", "")),
        (
            f"sed -n 1,9p {'deep/' * 20}a.tsx | cat -A",
            f"sed -n 1,9p {'deep/' * 20}a.tsx | od -c",
            ("…| cat -A", "…| od -c"),
        ),
        (f"ls {'x' * 200} a", f"ls {'x' * 200} b", ("…a", "…b")),
    ],
)
def test_quotes_the_calls_where_they_differ(
    memory: Remembered, tmp_path: Path, before: str, after: str, quoted: tuple[str, str]
) -> None:
    memory.failures = [failed(before, UNKNOWN, after)]
    (failure,) = recall.failures_in(memory.index(tmp_path))
    assert (failure.command, failure.worked) == quoted


def test_another_project_needs_more_and_quotes_less(memory: Remembered, tmp_path: Path) -> None:
    secret = failed("deploy --key-of customer", "Exit code 1\nno such key: customer", "deploy --key-for customer")
    memory.failures = [secret]
    memory.good = [("ls", "/home/somebody/other")]
    index = memory.index(tmp_path)
    assert recall.at_call(index, call("deploy --key-of x", "/home/somebody/other")) is None
    found = recall.at_error(index, call("deploy --key-of x", "/home/somebody/other"), secret.error)
    assert found is not None and not found.is_own
    assert found.failure.general[:2] == ("deploy --key-of", "deploy --key-for")


def test_another_project_is_not_quoted_where_that_says_nothing(memory: Remembered, tmp_path: Path) -> None:
    """All that may be quoted is program and options: the fix must differ in these."""
    memory.failures = [failed("deploy --to here", "Exit code 1\nno such place: here", "deploy --to there")]
    memory.good = [("ls", "/home/somebody/other")]
    index = memory.index(tmp_path)
    assert recall.at_error(index, call("deploy --to x"), memory.failures[0].error) is not None
    assert recall.at_error(index, call("deploy --to x", "/home/somebody/other"), memory.failures[0].error) is None


REJECTED = failed(
    "git push origin main",
    "Exit code 1\n! [rejected] main -> main (fetch first)",
    "git push origin main --force-with-lease",
    is_told=False,
)


def test_what_nobody_may_be_told_of_clears_what_it_shares_with_the_failure(memory: Remembered, tmp_path: Path) -> None:
    memory.failures = [REJECTED]
    index = memory.index(tmp_path)
    for line in (REJECTED.command, REJECTED.worked_command):
        assert recall.at_call(index, call(line)) is None, line
    memory.failures = [failed(REJECTED.command, REJECTED.error)]
    index = memory.index(tmp_path)
    for line in (REJECTED.command, REJECTED.worked_command):
        assert recall.at_call(index, call(line)) is not None, line


def test_what_nobody_may_be_told_of_is_in_no_word(memory: Remembered, tmp_path: Path) -> None:
    memory.failures = [REJECTED]
    assert b"force" not in Path(memory.write(tmp_path)).read_bytes()


def test_a_damaged_index_is_unusable(memory: Remembered, tmp_path: Path) -> None:
    memory.failures = [failed("git show --no-stat HEAD", UNKNOWN, "git show HEAD")]
    path = Path(memory.write(tmp_path))
    whole = path.read_bytes()
    for content in (b"", whole[:40], whole[:-4], b"x" * len(whole), whole[:40] + b"\0" * (len(whole) - 40)):
        path.write_bytes(content)
        with pytest.raises((UnusableMemory, EOFError, ValueError, TypeError)):
            recall.at_error(MemoryIndex(str(path)), call("git diff"), UNKNOWN)


def test_an_index_that_others_can_write_is_not_used(memory: Remembered, tmp_path: Path) -> None:
    path = Path(memory.write(tmp_path))
    path.chmod(0o666)
    with pytest.raises(UnusableMemory):
        MemoryIndex(str(path))


def test_silent_where_what_the_error_names_is_not_called(memory: Remembered, tmp_path: Path) -> None:
    memory.failures = [failed("lamp --warm x && torch --dim y", "torch: error: no light", "lamp --warm x && sun --up")]
    index = memory.index(tmp_path)
    assert recall.at_call(index, call("lamp --warm x && sun --dim y")) is None
    assert recall.at_call(index, call("torch --dim y")) is not None
