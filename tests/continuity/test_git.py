"""Asking git: nothing of the repository runs, nothing waits long, the state equals `git status`."""

import os
import subprocess
import time
from pathlib import Path

import pytest

from lessons.continuity import git
from lessons.continuity.commits import new_commits, state_of
from lessons.project_state import CommitTracker, GitState
from tests.builders.repository import Repository
from tests.conftest import SetVariable
from tests.continuity.test_commits import ALWAYS, SESSION
from tests.tables import table


def program(path: Path, *lines: str) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(["#!/bin/sh", *lines, ""]))
    path.chmod(0o755)
    return str(path)


def everything(root: str, tracker: CommitTracker | None = None) -> tuple[GitState, list[str]]:
    commits, _ = new_commits(root, tracker or CommitTracker(), [], SESSION, ALWAYS, time.time())
    return state_of(root), [commit.message for commit in commits]


HOOKS = ("post-index-change", "fsmonitor-watchman", "post-checkout", "pre-commit", "reference-transaction")


# Settings that name a program, and settings that change what is printed or make git run another one.
RUN = (
    "filter.evil.clean filter.evil.smudge filter.evil.process diff.evil.command diff.evil.textconv diff.external",
    "core.fsmonitor core.pager pager.log pager.status core.sshCommand core.askPass core.editor gpg.program",
    "gpg.ssh.program credential.helper core.alternateRefsCommand alias.status alias.log",
)
SHOWN = (
    "filter.evil.required=true log.showSignature=true status.submoduleSummary=true color.ui=always "
    "log.decorate=full log.showRoot=false core.quotePath=true"
)


@pytest.fixture
def canary(tmp_path: Path) -> Path:
    return tmp_path / "canary"


@pytest.fixture
def hostile(repository: Repository, canary: Path, tmp_path: Path) -> Repository:
    """Whatever can be told to run a program is told to."""
    repository.commit("first", file="a.txt")
    created = 'printf "\\n[GNUPG:] SIG_CREATED \\n" >&2'
    signer = program(tmp_path / "signer", "cat > /dev/null", created, "echo -----BEGIN PGP SIGNATURE-----", "echo x")
    repository.git("-c", f"gpg.program={signer}", "commit", "-q", "-S", "--allow-empty", "-m", "signed")
    evil = program(tmp_path / "evil", f"echo ran $0 $@ >> {canary}", "cat")
    (repository.folder / "a.txt").write_text("other")  # as long as before: only a look into the file tells
    (repository.folder / ".git" / "info" / "attributes").write_text("* filter=evil diff=evil\n")
    settings = {name: evil for names in RUN for name in names.split()} | dict(each.split("=") for each in SHOWN.split())
    for name, value in settings.items():
        repository.git("config", name, value)
    for name in HOOKS:
        program(repository.folder / ".git" / "hooks" / name, f"echo hook {name} >> {canary}")
    return repository


def test_nothing_of_the_repository_runs(hostile: Repository, canary: Path) -> None:
    state, messages = everything(hostile.root)
    assert (state.uncommitted, state.branch, messages) == ([" M a.txt"], "main", ["first", "signed"])
    assert not canary.exists(), canary.read_text()
    with pytest.raises(AssertionError, match="clean filter"):
        hostile.git("status")
    assert canary.exists(), "the trap would not have closed on git itself"


def test_a_filter_with_an_odd_name_hides_the_state(hostile: Repository, canary: Path, tmp_path: Path) -> None:
    evil = str(tmp_path / "evil")
    with (hostile.folder / ".git" / "config").open("a") as file:
        file.write(f'[filter "a=b"]\n\tclean = {evil}\n')
    (hostile.folder / ".git" / "info" / "attributes").write_text("* filter=a=b\n")
    assert state_of(hostile.root) == GitState(branch="main")
    assert not canary.exists(), canary.read_text()


def test_what_a_partial_clone_lacks_is_not_fetched(repository: Repository, canary: Path, tmp_path: Path) -> None:
    repository.commit("a")
    repository.commit("b")
    repository.git("config", "uploadpack.allowFilter", "true")
    clone = Repository(tmp_path / "clone", init=False)
    clone.git("clone", "-q", "--filter=tree:0", "--no-checkout", f"file://{repository.root}", ".")
    evil = program(tmp_path / "evil", f"echo ran $0 $@ >> {canary}")
    clone.git("config", "remote.origin.uploadpack", evil)
    clone.git("config", "protocol.file.allow", "always")
    clone.git("update-ref", "-m", "commit: b", "HEAD", "HEAD~1")
    _, messages = everything(clone.root)
    assert messages == ["a"]
    assert not canary.exists(), canary.read_text()


def test_variables_that_speak_of_something_else_are_not_passed_on(
    repository: Repository, tmp_path: Path, canary: Path, variable: SetVariable
) -> None:
    repository.commit("first", file="a.txt")
    (repository.folder / "a.txt").write_text("changed")
    other = Repository(tmp_path / "other")
    evil = program(tmp_path / "evil", f"echo ran >> {canary}")
    for name in ("GIT_EXTERNAL_DIFF", "GIT_PAGER", "GIT_SSH_COMMAND", "GIT_ASKPASS"):
        variable(name, evil)
    variable("GIT_DIR", f"{other.root}/.git")
    variable("GIT_INDEX_FILE", str(tmp_path / "index"))
    variable("GIT_CONFIG_COUNT", "1")
    variable("GIT_CONFIG_KEY_0", "core.worktree")
    variable("GIT_CONFIG_VALUE_0", other.root)
    variable("GIT_TRACE", str(canary))
    assert state_of(repository.root).uncommitted == [" M a.txt"]
    assert not canary.exists()


def test_git_of_the_repository_itself_is_not_the_one_that_runs(
    repository: Repository, canary: Path, variable: SetVariable
) -> None:
    head = repository.commit("first")
    program(repository.folder / "bin" / "git", f"echo ran >> {canary}")
    program(repository.folder / "git", f"echo ran >> {canary}")
    variable("PATH", os.pathsep.join((f"{repository.root}/bin", ".", "", os.environ["PATH"])))
    assert state_of(repository.root).head == head
    assert not canary.exists()


def test_a_secret_in_the_name_of_a_branch_does_not_get_in(repository: Repository) -> None:
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    repository.git("checkout", "-q", "-b", token)
    repository.commit("first")
    commits, _ = new_commits(repository.root, CommitTracker(), [], SESSION, ALWAYS, time.time())
    assert [each.branch for each in commits] == [state_of(repository.root).branch] == ["[redacted:github-token]"]


def test_without_git(repository: Repository, tmp_path: Path, variable: SetVariable) -> None:
    repository.commit("first")
    tracker = CommitTracker(last_head="x")
    for path in ("", str(tmp_path)):
        variable("PATH", path)
        assert git.run(repository.root, "status") is None
        assert state_of(repository.root) == GitState(branch="main")
        assert new_commits(repository.root, tracker, [], SESSION, ALWAYS, time.time()) == ([], tracker)


def running_in_group(group: int) -> list[str]:
    """What is left of a process group.

    Zombies do not count, nor processes that are just ending: their command line is gone, and their name is in brackets.
    """
    table = subprocess.run(["ps", "-A", "-o", "pgid=,stat=,args="], capture_output=True, text=True, check=True).stdout
    rows = [line.split(None, 2) for line in table.splitlines() if len(line.split(None, 2)) == 3]
    left = [(status, arguments) for of, status, arguments in rows if of == str(group)]
    return [arguments for status, arguments in left if status[0] != "Z" and arguments[0] != "["]


@pytest.mark.parametrize(
    "lines",
    [("sleep 60 & echo early",), ("trap '' TERM INT", "while :; do :; done")],
)
def test_git_that_hangs(repository: Repository, tmp_path: Path, variable: SetVariable, lines: tuple[str, ...]) -> None:
    folder = tmp_path / "slow"
    program(folder / "git", f"echo $$ >> {tmp_path}/started", *lines)
    variable("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    for seconds in (0.3, 3, 15):  # on a busy machine the program may not have begun in the shortest
        begin = time.monotonic()
        assert git.run(repository.root, "status", seconds=seconds) is None
        assert time.monotonic() - begin < seconds + 30
        if (tmp_path / "started").exists():
            break
    for group in (tmp_path / "started").read_text().split():
        assert not running_in_group(int(group))


def test_no_repository(tmp_path: Path) -> None:
    Repository(tmp_path / "bare", "--bare")
    (tmp_path / "plain").mkdir()
    (tmp_path / "broken" / ".git").mkdir(parents=True)
    (tmp_path / "astray").mkdir()
    (tmp_path / "astray" / ".git").write_text("gitdir: /nowhere\n")
    for name in ("plain", "bare", "broken", "astray", "gone"):
        assert everything(str(tmp_path / name)) == (GitState(), [])


def test_a_repository_without_a_commit(repository: Repository) -> None:
    assert state_of(repository.root) == GitState(branch="main")
    (repository.folder / "a").write_text("")
    state = state_of(repository.root)
    assert (state.head, state.uncommitted, state.uncommitted_count) == ("", ["?? a"], 1)


def test_uncommitted_work(repository: Repository) -> None:
    repository.git("config", "status.renames", "copies")
    for name in ("kept", "changed", "gone", "moved"):
        repository.commit(name)
    (repository.folder / "changed").write_text("other")
    (repository.folder / "gone").unlink()
    repository.git("mv", "moved", "there")
    for name in ("new\nline", 'quo"te', "日本", "\x1b[31m", "with space"):
        (repository.folder / name).write_text("")
    state = state_of(repository.root)
    assert state.head == repository.head()
    assert state.uncommitted[:4] == [" M changed", " D gone", "D  moved", "A  there"]
    assert set(state.uncommitted[4:]) == {
        '?? "new\\nline"', '?? "quo\\"te"', "?? 日本", '?? "\\033[31m"', '?? "with space"'
    }  # fmt: skip
    assert state.uncommitted_count == 9


def test_the_index_is_left_as_it_is(repository: Repository) -> None:
    repository.commit("first", file="a")
    os.utime(repository.folder / "a", (1, 1))
    index = repository.folder / ".git" / "index"
    before = index.stat()
    assert state_of(repository.root).uncommitted == []
    assert (index.stat().st_mtime_ns, index.stat().st_ino) == (before.st_mtime_ns, before.st_ino)


@table("text", ["", "HEAD", "-p", "a" * 39, "A" * 40, "g" * 40, "a" * 41, "--" + "a" * 38])
def test_what_is_no_hash(text: str) -> None:
    assert not git.is_hash(text)
    assert git.is_hash("a0" * 20) and git.is_hash("b1" * 32)
