"""Setting a project up: refused where a link is, everything moved and nothing newer lost, done twice as done once."""

import os
import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lessons.errors import Refused
from lessons.store.project_state import ignore_lines, session_state
from lessons.store.project_state.problems import problems_of
from lessons.store.project_state.project_mark import set_up
from lessons.store.project_state.state_files import auto_save
from lessons.store.project_state.state_paths import StatePaths, mark_file
from tests.store.project_state.writers import DOCUMENTS, KINDS, LINES, Act, keys, perform, written


@pytest.mark.parametrize("part", [".claude", ".claude/hooks", ".claude/state"])
@pytest.mark.parametrize("there", ["link", "file", "link to nothing"])
def test_refused_where_a_folder_is_none(place: StatePaths, tmp_path: Path, part: str, there: str) -> None:
    path, outside = Path(place.root, part), tmp_path / "outside"
    outside.mkdir()
    path.parent.mkdir(exist_ok=True)
    if there == "file":
        path.write_text("mine")
    else:
        path.symlink_to(outside if there == "link" else outside / "none")
    what = "no folder" if there == "file" else "a link"
    with pytest.raises(Refused, match=rf"{part} is {what}, and .*: put one there\.$"):
        set_up(place, git_ignore=True)
    assert not os.path.exists(place.own)
    assert not Path(place.root, ".gitignore").exists()
    assert os.listdir(outside) == []


def test_refused_where_git_would_not_read_the_lines(place: StatePaths, tmp_path: Path) -> None:
    Path(place.root, ".gitignore").symlink_to(tmp_path / "mine")
    with pytest.raises(Refused, match=r"\.gitignore is not a regular file"):
        set_up(place, git_ignore=True)
    assert not Path(place.root, ".claude").exists()
    assert set_up(place, git_ignore=False).ignored == []


@pytest.mark.parametrize("root", ["/", "~"])
def test_refused_where_no_project_is(place: StatePaths, root: str) -> None:
    root = os.path.expanduser(root)
    with pytest.raises(Refused, match="is no project"):
        set_up(StatePaths(place.home, root), git_ignore=False)


def test_everything_is_moved(place: StatePaths) -> None:
    for kind in KINDS:
        for session in ("one", "two"):
            perform(place, Act(kind, session, 3))
    before = [keys(place, kind) for kind in LINES]
    done = set_up(place, git_ignore=True)
    here = done.paths
    assert here.in_project and not done.already
    assert len(done.moved) == 17  # two sessions with five each, and the seven that they share
    for session in ("one", "two"):
        assert {written(here, kind, session) for kind in set(DOCUMENTS) - {"tracker"}} == {f"{session}-3"}
        assert problems_of(here, session) == []
    assert [keys(here, kind) for kind in LINES] == before
    assert session_state.read_latest(here) == session_state.read_of(here, "two")
    assert sorted(os.listdir(place.own)) == ["project.json", "state.lock"]
    again = set_up(place, git_ignore=True)
    assert (again.already, again.moved, again.ignored) == (True, [], [])


def test_what_is_newer_in_the_project_stays(place: StatePaths) -> None:
    """As after a time in which its folders were missing, and the data home was used."""
    perform(place, Act("handoff", "one", 1))
    perform(place, Act("commits", "one", 1))
    here = set_up(place, git_ignore=False).paths
    Path(here.state).rename(Path(here.root, "elsewhere"))
    away = StatePaths(place.home, place.root)
    assert not away.in_project
    for number in (1, 2):
        perform(away, Act("commits", "one", number))
    perform(away, Act("handoff", "two", 5))
    perform(away, Act("handoff", "one", 6))
    Path(here.root, "elsewhere").rename(here.state)
    later = os.stat(here.session("one")).st_mtime + 1000
    os.utime(here.session("one") + "/handoff.json", (later, later))
    set_up(place, git_ignore=False)
    assert written(here, "handoff", "one") == "one-1"
    assert written(here, "handoff", "two") == "two-5"
    assert keys(here, "commits") == ["one-1-a", "one-1-b", "one-2-a", "one-2-b"]


def test_damaged_files_stay_behind_and_others_make_way(place: StatePaths) -> None:
    perform(place, Act("auto-save", "one", 1))
    perform(place, Act("begin", "one", 1))
    Path(session_state.own_file(place, "one")).write_text("{")
    Path(place.root, ".claude/hooks").mkdir(parents=True)
    Path(place.root, ".claude/hooks/.auto-save-state.json").write_text("other")
    here = set_up(place, git_ignore=False).paths
    assert Path(place.session("one"), "session-state.json").read_text() == "{"
    assert auto_save.read_or_new(here, "one").save_count == 1
    assert [path.read_text() for path in Path(here.hooks).glob("*.damaged-*")] == ["other"]


def test_the_mark_keeps_what_else_it_says(place: StatePaths) -> None:
    Path(place.own).mkdir(parents=True)
    Path(mark_file(place.own)).write_text('{"later": 1, "setUp": false}')
    set_up(place, git_ignore=False)
    assert '"later": 1' in Path(mark_file(place.own)).read_text()
    Path(mark_file(place.own)).unlink()
    assert not StatePaths(place.home, place.root).in_project


def test_git_sees_nothing_of_it(place: StatePaths) -> None:
    Path(place.root, ".git").rmdir()
    subprocess.run(["git", "init", "--quiet", place.root], check=True)
    here = set_up(place, git_ignore=True).paths
    for kind in KINDS:
        perform(here, Act(kind, "one", 1))
    Path(here.state, "handoff.json.damaged-20260101T000000Z").write_text("")
    Path(here.state, ".handoff.json.x.tmp").write_text("")
    Path(here.hooks, "own-hook.js").write_text("")
    Path(here.state, "reviews.jsonl").write_text("")
    status = ["git", "-C", place.root, "status", "--porcelain", "--untracked-files=all"]
    seen = subprocess.run(status, capture_output=True, text=True, check=True).stdout
    assert seen.split() == ["??", ".claude/hooks/own-hook.js", "??", ".claude/state/reviews.jsonl", "??", ".gitignore"]


@given(
    content=st.sampled_from(["", "x", "x\n", "x\r\n", "# é\n\n", "\n"]),
    known=st.sets(st.sampled_from(ignore_lines.LINES)),
)
@settings(deadline=None)
def test_the_lines_are_added_once_and_the_rest_stays(
    tmp_path_factory: pytest.TempPathFactory, content: str, known: set[str]
) -> None:
    root = tmp_path_factory.mktemp("ignore")
    file = root / ".gitignore"
    before = (content + "".join(f"{line}\n" for line in sorted(known))).encode()
    if content == "x" and known:
        before = before.replace(b"x", b"x\n", 1)
    file.write_bytes(before)
    missing = [line for line in ignore_lines.LINES if line not in known]
    assert ignore_lines.add(str(root)) == missing
    after = file.read_bytes()
    assert after.startswith(before)
    assert all(after.decode().splitlines().count(line) == 1 for line in ignore_lines.LINES)
    assert ignore_lines.add(str(root)) == []
    assert file.read_bytes() == after
    if missing and b"\r\n" in before and not known:
        assert after.count(b"\n") == after.count(b"\r\n")
