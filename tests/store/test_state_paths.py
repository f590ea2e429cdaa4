"""Where a project's state is, its branch, and the fields of a state file; no repository decides anything."""

import json
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lessons.store.state import problems_of, set_up_project
from lessons.store.state_paths import (
    StatePaths,
    current_branch,
    fields_of,
    mark_file,
    project_id,
    root_of,
    state_paths_of,
)
from tests.builders.repository import Repository
from tests.store.state_writers import project


@pytest.fixture
def place(tmp_path: Path) -> StatePaths:
    return project(tmp_path)


PARTS = (".claude", ".claude/hooks", ".claude/state")


def mark(place: StatePaths, text: str) -> None:
    Path(place.own).mkdir(parents=True, exist_ok=True)
    Path(mark_file(place.own)).write_text(text)


def folders(root: str) -> None:
    for part in PARTS:
        (Path(root) / part).mkdir(exist_ok=True)


# What a repository cannot do.


def test_a_repository_cannot_switch_it_on(place: StatePaths) -> None:
    folders(place.root)
    text = json.dumps({"root": place.root, "setUp": True})
    for name in ("project.json", ".claude/project.json", ".claude/state/project.json", ".claude/hooks/project.json"):
        (Path(place.root) / name).write_text(text)
    here = state_paths_of(place.home, place.root)
    assert not here.in_project
    assert (here.hooks, here.state) == (here.own + "/hooks", here.own + "/state")
    assert here.own.startswith(place.home + "/projects/shop-")


@pytest.mark.parametrize(
    "text",
    ["", "{", "null", "[]", '"root"', '{"setUp": true}', '{"root": "/elsewhere", "setUp": true}', "[" * 60_000],
)
def test_only_a_whole_mark_of_this_very_root_counts(place: StatePaths, text: str) -> None:
    folders(place.root)
    mark(place, text)
    assert not state_paths_of(place.home, place.root).in_project


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("there", ["link", "link inside", "file", "nothing"])
def test_a_link_leads_nowhere_and_is_told(place: StatePaths, tmp_path: Path, part: str, there: str) -> None:
    here = set_up_project(place, git_ignore=False).paths
    assert here.in_project and problems_of(here) == []
    path = Path(place.root) / part
    target = tmp_path / "outside" if there == "link" else Path(place.root) / "inside"
    path.rename(target) if part == ".claude" else path.rmdir()
    target.mkdir(exist_ok=True)
    if there.startswith("link"):
        path.symlink_to(target)
    elif there == "file":
        path.write_text("")
    now = state_paths_of(place.home, place.root)
    assert not now.in_project
    assert now.state == now.own + "/state"
    what = "is a link" if there.startswith("link") else "is no folder"
    assert [problem for problem in problems_of(now) if problem.startswith(f"{path} {what}, so the state")]


# What it finds.


def test_the_project_is_where_its_repository_is(tmp_path: Path) -> None:
    inner = tmp_path / "shop" / "src" / "deep"
    inner.mkdir(parents=True)
    assert root_of(str(inner)) == str(inner)
    (tmp_path / "shop" / ".git").mkdir()
    assert root_of(str(inner)) == str(tmp_path / "shop")
    assert root_of(str(inner) + "/") == str(tmp_path / "shop")
    (tmp_path / "shop" / "src" / ".git").mkdir()
    assert root_of(str(inner)) == str(tmp_path / "shop" / "src")


def test_a_worktree_is_a_project_of_its_own(tmp_path: Path) -> None:
    shop, branch = Repository(tmp_path / "shop"), tmp_path / "shop" / "trees" / "branch"
    shop.commit("first")
    shop.git("worktree", "add", "--quiet", str(branch))
    (branch / "src").mkdir()
    assert root_of(str(branch / "src")) == str(branch)
    home = str(tmp_path / "data")
    assert state_paths_of(home, str(branch)).own != state_paths_of(home, shop.root).own
    # Setting one of them up says nothing about the other.
    set_up_project(state_paths_of(home, shop.root), git_ignore=True)
    assert state_paths_of(home, shop.root).in_project
    assert not state_paths_of(home, str(branch)).in_project


def test_it_is_in_the_project_where_the_person_said_so(place: StatePaths) -> None:
    folders(place.root)
    mark(place, json.dumps({"root": place.root, "setUp": True, "more": 1}))
    here = state_paths_of(place.home, place.root + "/.git")
    assert here.in_project
    assert (here.hooks, here.state) == (place.root + "/.claude/hooks", place.root + "/.claude/state")
    assert here.session("one") == place.root + "/.claude/state/sessions/one"


@given(one=st.text(), other=st.text())
def test_names_are_safe_and_tell_projects_and_sessions_apart(one: str, other: str) -> None:
    place = StatePaths("/data", "/shop")
    for name in (project_id(one), os.path.basename(place.session(one))):
        assert "/" not in name and "\\" not in name and "\0" not in name
        assert name not in ("", ".", "..") and len(name.encode()) <= 140
    assert place.session(one).startswith("/data/projects/")
    assert (place.session(one) == place.session(other)) is (one == other)
    assert (project_id(one) == project_id(other)) is (one == other)


# Its branch is what git says it is, without asking git.


def test_no_repository_no_branch(tmp_path: Path) -> None:
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


# Reading a state file never waits, never raises and accepts nothing but a plain JSON object.


NOT_FIELDS = [b"", b"null", b"[]", b'"text"', b"3", b"{", b'{"a": 1} {"b": 2}', b"\xff\xfe{}", b"[" * 100_000, b"nul\0"]


def test_what_is_no_object_in_a_plain_file_has_no_fields(tmp_path: Path) -> None:
    real = tmp_path / "real.json"
    for content in NOT_FIELDS:
        real.write_bytes(content)
        assert fields_of(str(real)) == {}, content[:20]
    real.write_text('{"a": 1}')
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to(real)
    (tmp_path / "folder").mkdir()
    for name in ("pipe", "link", "folder", "nothing", "real.json/below", "nul\0byte", "x" * 5000):
        assert fields_of(f"{tmp_path}/{name}") == {}, name
