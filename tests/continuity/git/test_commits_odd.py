"""Repositories of every kind, with and without a reflog, with any messages, names and trackers."""

from pathlib import Path

import pytest

from lessons.continuity.git.commits import new_commits
from lessons.session import CommitTracker
from tests.builders.repository import Repository
from tests.continuity.looking import ALWAYS, LONG_AGO, SESSION, Look


def test_worktrees_each_have_their_own(repository: Repository, look: Look, tmp_path: Path) -> None:
    beside = Repository(tmp_path / "beside", init=False)
    repository.git("worktree", "add", "-q", "-b", "beside", beside.root)
    there = Look(beside.root)
    beside.commit("b")
    repository.commit("m")
    assert [(one.message, one.branch) for one in there()] == [("b", "beside")]
    assert [(one.message, one.branch) for one in look()] == [("m", "main")]


def test_submodule(repository: Repository, look: Look, tmp_path: Path) -> None:
    library = Repository(tmp_path / "library")
    library.commit("lib")
    repository.git("submodule", "add", "-q", library.root, "library")
    inside = Repository(repository.folder / "library", init=False)
    there = Look(inside.root)
    inside.commit("deeper")
    assert [one.message for one in there()] == ["deeper"]
    repository.git("add", "--all")
    repository.git("commit", "-q", "-m", "with library")
    [commit] = look()
    assert sorted(commit.files_list) == [".gitmodules", "library"]


def test_shallow_clone(repository: Repository, tmp_path: Path) -> None:
    for name in "abc":
        repository.commit(name)
    clone = Repository(tmp_path / "clone", init=False)
    clone.git("clone", "-q", "--depth=1", f"file://{repository.root}", ".")
    assert new_commits(clone.root, CommitTracker(), LONG_AGO, SESSION, ALWAYS)[0] == []
    look = Look(clone.root)
    clone.commit("d")
    clone.git("commit", "-q", "--amend", "-m", "e")
    assert look.kinds() == [("commit", "d"), ("amend", "e")]


def test_without_a_reflog(repository: Repository, tmp_path: Path) -> None:
    repository.git("config", "core.logAllRefUpdates", "false")
    (repository.folder / ".git" / "config").open("a").write("[user]\n\tname = Ada\n\temail = ada@example.org\n")
    repository.commit("first")
    look = Look(repository.root)
    heads = [repository.commit(name) for name in "ab"]
    assert not (repository.folder / ".git" / "logs").exists()
    assert [(one.hash, one.kind, one.session) for one in look()] == [(head, "commit", 4) for head in heads]
    theirs = Repository(tmp_path / "theirs", init=False)
    theirs.git("clone", "-q", repository.root, ".")
    theirs.commit("t", GIT_COMMITTER_EMAIL="somebody@example.org")
    repository.commit("m")
    repository.git("pull", "-q", "--no-rebase", "--no-edit", theirs.root, "main")
    assert [kind for kind, _ in look.kinds()] == ["commit", "merge"]
    look.tracker.last_head = "0" * 40  # gone, say by a clean-up
    repository.commit("n")
    assert "n" in [message for _, message in look.kinds()]


def test_a_reflog_that_was_cleared_or_is_long(repository: Repository, look: Look) -> None:
    repository.git("reflog", "expire", "--expire=now", "--all")
    repository.commit("a")
    assert ("commit", "a") in look.kinds()
    for _ in range(130):
        repository.git("checkout", "-q", "--detach")
        repository.git("checkout", "-q", "main")
    repository.commit("b")
    assert look.kinds() == [("commit", "b")]


@pytest.mark.parametrize(
    ("message", "kept"),
    [
        ("one\ntwo\n\nthe body", "one two"),
        ("日本 ünï 🦆", "日本 ünï 🦆"),
        ("red \x1b[31m bell \x07 \x01\x1e\x7f end", "red [31m bell end"),
        ("fast-forward", "fast-forward"),
        ("x: fast-forward", "x: fast-forward"),
        ("rebase (finish): no", "rebase (finish): no"),
        ("token ghp_" + "a1B2" * 9, "token [redacted:"),
        ("long " + "w " * 1000, "long w"),
    ],
)
def test_messages(repository: Repository, look: Look, message: str, kept: str) -> None:
    repository.commit(message, file="file")
    [commit] = look()
    assert commit.message.startswith(kept) and commit.kind == "commit"
    assert len(commit.message) <= 300 and commit.message.isprintable()


def test_no_message_and_no_file(repository: Repository, look: Look) -> None:
    repository.git("commit", "-q", "--allow-empty", "--allow-empty-message", "-m", "")
    repository.git("commit", "-q", "--allow-empty", "-m", "empty")
    assert [(one.message, one.files_changed, one.files_list) for one in look()] == [("", 0, []), ("empty", 0, [])]


def test_file_names(repository: Repository, look: Look) -> None:
    names = ["a\nb", 'quo"te', "日本.txt", "\nfirst", "0" * 40, "-rf", "tab\there", "back\\slash", " space "]
    for name in names:
        (repository.folder / name).write_text("x")
    (repository.folder.joinpath("~many")).mkdir()
    for number in range(40):
        (repository.folder / "~many" / f"{number:02}").write_text("x")
    repository.git("add", "--all")
    repository.git("commit", "-q", "-m", "names")
    repository.commit("next")
    many, following = look()
    assert (many.files_changed, len(many.files_list)) == (len(names) + 40, 30)
    assert set(names) - {"日本.txt"} <= set(many.files_list)  # which sorts last
    assert following.files_list == ["next"]


@pytest.mark.parametrize("head", ["--output=canary", "-p", "HEAD", "; touch canary", "0" * 40, "x" * 40])
def test_a_tracker_that_somebody_made_up(repository: Repository, look: Look, head: str) -> None:
    for mark in ("", "x", "99999999999999999999 y", f"1 {head} 0", "--all"):
        for log in ("true", "false"):
            repository.git("config", "core.logAllRefUpdates", log)
            new_commits(repository.root, CommitTracker(last_head=head, last_entry=mark), "soon", None, ALWAYS)
    assert sorted(path.name for path in repository.folder.iterdir()) == [".git", "first"]
