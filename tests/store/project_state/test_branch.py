"""The branch is what git says it is, without asking git; whatever else lies there is no branch."""

import os
from pathlib import Path

from lessons.store.project_state.branch import current_branch
from tests.builders.repository import Repository
from tests.tables import table


@table(
    "head",
    ["", "\n", "\0", "ref: refs/heads/a\nref: refs/heads/b", "ref: refs/heads/\x1b[31m", "ref: refs/heads/.invalid"],
)
def test_a_head_that_says_nothing(tmp_path: Path, head: str) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "HEAD").write_text(head)
    assert current_branch(str(tmp_path)) == ""


def test_no_repository(tmp_path: Path) -> None:
    assert current_branch(str(tmp_path)) == ""
    assert current_branch(str(tmp_path / "gone")) == ""
    (tmp_path / ".git").write_text("gitdir: nowhere\n")
    assert current_branch(str(tmp_path)) == ""
    (tmp_path / ".git").unlink()
    os.mkfifo(tmp_path / ".git")
    assert current_branch(str(tmp_path)) == ""


def test_where_git_says(tmp_path: Path) -> None:
    repository = Repository(tmp_path / "shop")
    assert current_branch(repository.root) == "main"
    repository.commit("first")
    for name in ("topic/ünï", "a b".replace(" ", "-"), "日本"):
        repository.git("checkout", "-q", "-b", name)
        assert current_branch(repository.root) == current_branch(repository.root + "/") == name
    repository.git("checkout", "-q", "--detach")
    assert current_branch(repository.root) == "HEAD"


def test_worktree_and_submodule(tmp_path: Path) -> None:
    repository = Repository(tmp_path / "shop")
    repository.commit("first")
    repository.git("worktree", "add", "-q", "-b", "beside", str(tmp_path / "beside"))
    assert (current_branch(repository.root), current_branch(str(tmp_path / "beside"))) == ("main", "beside")
    library = Repository(tmp_path / "library")
    library.git("checkout", "-q", "-b", "trunk")
    library.commit("lib")
    repository.git("submodule", "add", "-q", library.root, "library")
    assert current_branch(f"{repository.root}/library") == "trunk"


def test_a_rebase_on_its_way_is_still_the_work_of_its_branch(tmp_path: Path) -> None:
    repository = Repository(tmp_path / "shop")
    for name in "abc":
        repository.commit(name)
    repository.git("rebase", "-i", "HEAD~2", GIT_SEQUENCE_EDITOR="sed -i -e 1s/pick/edit/")
    assert current_branch(repository.root) == "main"
    repository.git("rebase", "--continue")
    assert current_branch(repository.root) == "main"
