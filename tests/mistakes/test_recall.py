"""What memory recalls at a call and at an error, and where it stays silent."""

from pathlib import Path

import pytest

from lessons.match.call import ToolCall
from lessons.mistakes import recall
from lessons.store.memory_index import MemoryIndex, UnusableMemory
from tests.builders.memory import Remembered, failed
from tests.builders.payloads import FOLDER

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


def test_an_error_without_remedy_is_not_recalled(memory: Remembered, tmp_path: Path) -> None:
    memory.failures = [failed("git show --no-stat HEAD", UNKNOWN)]
    assert recall.at_error(memory.index(tmp_path), call("git diff --no-stat"), UNKNOWN) is None


def test_another_project_needs_more_and_quotes_less(memory: Remembered, tmp_path: Path) -> None:
    secret = failed("deploy --key-of customer", "Exit code 1\nno such key: customer", "deploy --key-for customer")
    memory.failures = [secret]
    memory.good = [("ls", "/home/somebody/other")]
    index = memory.index(tmp_path)
    assert recall.at_call(index, call("deploy --key-of x", "/home/somebody/other")) is None
    found = recall.at_error(index, call("deploy --key-of x", "/home/somebody/other"), secret.error)
    assert found is not None and not found.is_own
    assert found.failure.general[:2] == ("deploy --key-of", "deploy --key-for")


@pytest.mark.parametrize(
    "fix", ["git push --force", "rm -rf build && make", "git commit --no-verify", "gh pr merge --admin"]
)
def test_what_forces_or_skips_a_check_is_never_what_worked(memory: Remembered, tmp_path: Path, fix: str) -> None:
    memory.failures = [failed("make build", "Exit code 2\nmissing separator in build.mk", fix)]
    found = recall.at_call(memory.index(tmp_path), call("make build"))
    assert found is not None and found.failure.worked == ""


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
