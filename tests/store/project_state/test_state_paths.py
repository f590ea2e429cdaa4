"""Where a project's state lies: a worktree is a project of its own, and no repository decides anything."""

import json
import os
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lessons.store.project_state.problems import problems_of
from lessons.store.project_state.project_mark import set_up
from lessons.store.project_state.state_paths import StatePaths, mark_file, project_id, root_of, state_paths_of
from tests.tables import table

PARTS = (".claude", ".claude/hooks", ".claude/state")


def mark(place: StatePaths, text: str) -> None:
    Path(place.own).mkdir(parents=True, exist_ok=True)
    Path(mark_file(place.own)).write_text(text)


def folders(root: str) -> None:
    for part in PARTS:
        (Path(root) / part).mkdir(exist_ok=True)


def git(folder: Path, *arguments: str) -> None:
    person = ["-c", "user.name=somebody", "-c", "user.email=somebody@example.org"]
    subprocess.run(["git", *person, *arguments], cwd=folder, check=True, capture_output=True)


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


@pytest.mark.parametrize("value", [1, "true", None, [True], {}])
def test_only_true_is_true(place: StatePaths, value: object) -> None:
    folders(place.root)
    mark(place, json.dumps({"root": place.root, "setUp": value}))
    assert not state_paths_of(place.home, place.root).in_project


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("there", ["link", "link inside", "file", "nothing"])
def test_a_link_leads_nowhere_and_is_told(place: StatePaths, tmp_path: Path, part: str, there: str) -> None:
    here = set_up(place, git_ignore=False).paths
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


def test_a_worktree_and_a_submodule_are_projects_of_their_own(tmp_path: Path) -> None:
    shop, branch = tmp_path / "shop", tmp_path / "shop" / "trees" / "branch"
    shop.mkdir()
    git(shop, "init", "--quiet")
    git(shop, "commit", "--quiet", "--allow-empty", "--message", "first")
    git(shop, "worktree", "add", "--quiet", str(branch))
    assert (branch / ".git").is_file()
    (branch / "src").mkdir()
    assert root_of(str(branch / "src")) == str(branch)
    home = str(tmp_path / "data")
    assert state_paths_of(home, str(branch)).own != state_paths_of(home, str(shop)).own
    # Setting one of them up says nothing about the other.
    set_up(state_paths_of(home, str(shop)), git_ignore=True)
    assert state_paths_of(home, str(shop)).in_project
    assert not state_paths_of(home, str(branch)).in_project


@table("cwd", ["/", "", "/nowhere/at/all", "/" + "deep/" * 300, "relative/folder", "C:\\Users\\x"])
def test_any_folder_has_a_root(cwd: str) -> None:
    assert root_of(cwd)


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
