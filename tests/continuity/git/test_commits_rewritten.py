"""Amended, rebased, squashed, picked, reverted: each commit has its kind and what it replaced."""

import pytest

from lessons.continuity.git.commits import still_there
from tests.builders.repository import Repository
from tests.continuity.looking import Look


def test_what_was_replaced_is_gone_even_where_a_tag_still_has_it(repository: Repository, look: Look) -> None:
    repository.commit("a")
    repository.git("tag", "before")
    repository.git("commit", "-q", "--amend", "-m", "b")
    log = look()
    assert [each.message for each in still_there(repository.root, log, log)] == ["b"]


def test_amended_twice(repository: Repository, look: Look) -> None:
    heads = [repository.commit("a")]
    for message in ("b", "c"):
        repository.git("commit", "-q", "--amend", "-m", message)
        heads.append(repository.head())
    commits = look()
    assert [(one.hash, one.kind, one.replaces) for one in commits] == [
        (heads[0], "commit", None), (heads[1], "amend", heads[0]), (heads[2], "amend", heads[1])
    ]  # fmt: skip
    repository.git("commit", "-q", "--amend", "-m", "d")
    assert [(one.kind, one.replaces) for one in look()] == [("amend", heads[2])]


@pytest.fixture
def three(repository: Repository, look: Look) -> list[str]:
    """Three commits on a branch whose base has gone on; all are known."""
    repository.git("checkout", "-q", "-b", "topic")
    heads = [repository.commit(name) for name in "abc"]
    repository.git("checkout", "-q", "main")
    repository.commit("base")
    repository.git("checkout", "-q", "topic")
    look()
    return heads


@pytest.mark.parametrize("backend", ["--merge", "--apply"])
def test_rebase_of_three(repository: Repository, look: Look, three: list[str], backend: str) -> None:
    repository.git("rebase", "-q", backend, "main")
    commits = look()
    assert [(one.kind, one.message, one.replaces) for one in commits] == [
        ("rebase", name, old) for name, old in zip("abc", three, strict=True)
    ]
    assert {one.branch for one in commits} == {"topic"}
    assert commits[-1].hash == repository.head()


def interactive(script: str) -> dict[str, str]:
    return {"GIT_SEQUENCE_EDITOR": f"sed -i -e {script!r}"}


def test_three_become_one(repository: Repository, look: Look, three: list[str]) -> None:
    repository.git("rebase", "-q", "-i", "HEAD~3", **interactive("2,3s/pick/squash/"))
    [commit] = look()
    assert (commit.kind, commit.message, commit.replaces) == ("rebase", "a", three[0])
    assert (commit.hash, sorted(commit.files_list)) == (repository.head(), ["a", "b", "c"])


def test_three_become_one_elsewhere(repository: Repository, look: Look, three: list[str]) -> None:
    repository.git("rebase", "-q", "-i", "main", **interactive("2,3s/pick/fixup/"))
    [commit] = look()
    assert (commit.kind, commit.message, commit.replaces) == ("rebase", "a", three[0])


def test_a_reworded_and_a_kept_one(repository: Repository, look: Look, three: list[str]) -> None:
    editor = {**interactive("2s/pick/reword/"), "GIT_EDITOR": "sed -i -e 's/^b$/better/'"}
    repository.git("rebase", "-q", "-i", "HEAD~3", **editor)
    commits = look()
    assert [(one.kind, one.message) for one in commits] == [("rebase", "better"), ("rebase", "c")]
    assert [one.replaces for one in commits] == three[1:]


def test_a_rebase_that_stops_on_its_way(repository: Repository, look: Look, three: list[str]) -> None:
    repository.git("rebase", "-q", "-i", "main", **interactive("2s/pick/edit/"))
    assert [(one.message, one.replaces, one.branch) for one in look()] == [
        ("a", three[0], "topic"), ("b", three[1], "topic")
    ]  # fmt: skip
    repository.git("rebase", "--continue")
    assert [(one.message, one.replaces) for one in look()] == [("c", three[2])]


def test_merge_pick_and_revert(repository: Repository, look: Look, three: list[str]) -> None:
    repository.git("checkout", "-q", "main")
    repository.git("cherry-pick", three[0])
    repository.git("revert", "--no-edit", "HEAD")
    repository.git("merge", "-q", "--no-ff", "-m", "together", "topic")
    commits = look()
    assert [(one.kind, one.message) for one in commits] == [
        ("cherry-pick", "a"), ("revert", 'Revert "a"'), ("merge", "together")
    ]  # fmt: skip
    assert sorted(commits[-1].files_list) == ["a", "b", "c"]  # against the branch it was made on
