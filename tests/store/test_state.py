"""Sessions are counted once each, in any order of what the background writes; old ones go; a project is set up."""

import os
import subprocess
import time
from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from lessons.errors import Refused
from lessons.project_state import SessionState
from lessons.store.state import (
    IGNORED,
    add_ignored,
    begin_session,
    end_session,
    problems_of,
    remove_old_sessions,
    set_up_project,
)
from lessons.store.state_files import auto_save, session_states
from lessons.store.state_paths import StatePaths
from tests.store.state_writers import DOCUMENTS, KINDS, LINES, Act, keys, moment, perform, project, written


@pytest.fixture
def place(tmp_path: Path) -> StatePaths:
    return project(tmp_path)


ODD = {
    "a path": "../../../etc/passwd", "absolute": "/etc/passwd", "empty": "", "dots": "..", "very long": "x" * 5000,
    "very long and odd": "é/" * 5000, "unicode": "日本語 \U0001f600", "half a character": "\ud800", "zero": "a\0b",
    "windows": "C:\\con",
}  # fmt: skip


RUNNING, GONE = os.getpid(), 2**22 + 1


def begin(place: StatePaths, session: str, number: int = 0, process: int = RUNNING) -> SessionState:
    return begin_session(place, session, moment(number), process)


def test_a_session_that_begins_again_is_not_counted_again(place: StatePaths) -> None:
    first = begin(place, "one", 1)
    assert begin(place, "one", 1) == first
    assert begin(place, "one", 2) == replace(first, resumed_at=moment(2))
    second = begin(place, "two", 3)
    assert (first.session, second.session) == (1, 2)
    assert first.previous is None
    assert second.previous is not None and second.previous.session_id == "one"
    # Resumed, it is the latest again; the next new one counts on from the highest all the same.
    assert begin(place, "one", 4, process=9).process == 9
    assert session_states.read_latest(place) == session_states.read_of(place, "one")
    third = begin(place, "three", 5)
    assert third.session == 3
    assert third.previous is not None and third.previous.session_id == "one"


@pytest.mark.parametrize("ended", [True, False])
@pytest.mark.parametrize("process", [0, RUNNING, GONE], ids=["unknown", "running", "gone"])
def test_an_unclean_end_is_one_without_a_word_whose_process_is_gone(
    place: StatePaths, ended: bool, process: int
) -> None:
    begin(place, "one", 1, process)
    if ended:
        end_session(place, "one", moment(2), "prompt_input_exit")
    previous = begin(place, "two", 3).previous
    assert previous is not None
    assert previous.unclean_end is (not ended and process == GONE)


def test_an_end_is_noted_and_a_resumed_session_has_none(place: StatePaths) -> None:
    begin(place, "one", 1)
    ended = end_session(place, "one", moment(2), "clear")
    assert (ended.ended_at, ended.end_reason) == (moment(2), "clear")
    assert session_states.read_latest(place) == ended
    assert begin(place, "one", 3).ended_at is None


@pytest.mark.parametrize("order", [*permutations(["one-begins", "one-ends", "one-begins"])])
def test_beginning_and_end_of_a_short_session_come_in_any_order(place: StatePaths, order: tuple[str, ...]) -> None:
    begin(place, "zero", 0, process=GONE)
    for each in order:
        if each == "one-begins":
            begin(place, "one", 10)
        else:
            end_session(place, "one", "2026-01-01T00:00:10.500Z", "other")
    state = session_states.read_of(place, "one")
    assert state is not None and state.previous is not None
    assert (state.session, state.started_at, state.end_reason, state.process) == (2, moment(10), "other", RUNNING)
    assert state.previous.unclean_end


@pytest.mark.parametrize("name", ODD)
def test_any_session_id_stays_in_its_folder(place: StatePaths, tmp_path: Path, name: str) -> None:
    session = ODD[name]
    begin(place, "one")
    before = {path for path in tmp_path.rglob("*") if not path.is_relative_to(place.own)}
    for kind in ("begin", "context", "handoff", "auto-save"):
        perform(place, Act(kind, session, 1))
        perform(place, Act(kind, session, 1))
    assert {path for path in tmp_path.rglob("*") if not path.is_relative_to(place.own)} == before
    assert len(os.listdir(place.state + "/sessions")) == 2
    state = session_states.read_of(place, session)
    assert state is not None and state.session == 2
    assert begin(place, "next").session == 3
    end_session(place, session, moment(1), "other")
    assert auto_save.read_or_new(place, session).save_count == 1
    assert problems_of(place, session) == []


# Old sessions and files of earlier tools.


DAY = 24 * 3600


def sessions(place: StatePaths) -> list[str]:
    return sorted(os.listdir(place.state + "/sessions"))


def age(folder: str, days: float) -> None:
    then = time.time() - days * DAY
    for path in [*Path(folder).iterdir(), Path(folder)]:
        os.utime(path, (then, then), follow_symlinks=False)


def fill(place: StatePaths, *names: str, days: float = 61) -> None:
    for name in names:
        for kind in ("begin", "handoff", "context", "auto-save"):
            perform(place, Act(kind, name, 1))
        age(place.session(name), days)


def test_what_is_not_ours_stays(place: StatePaths, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "work.json").write_text("mine")
    fill(place, "one", "two", "last")
    Path(place.session("one"), "notes.txt").write_text("mine")
    Path(place.session("two"), "folder").mkdir()
    Path(place.state, "sessions", "link").symlink_to(outside)
    Path(place.state, "sessions", "file").write_text("mine")
    for name in ("one", "two"):
        age(place.session(name), 90)
    age(str(outside), 90)
    assert remove_old_sessions(place, time.time()) == 0
    assert os.listdir(place.session("one")) == ["notes.txt"]
    assert os.listdir(place.session("two")) == ["folder"]
    assert sessions(place) == ["file", "last", "link", "one", "two"]
    assert (outside / "work.json").read_text() == "mine"


def test_old_ones_go_and_the_count_goes_on(place: StatePaths) -> None:
    fill(place, "one", "two", "three")
    Path(place.session("one"), "work.json.damaged-20260101T000000Z").write_text("{")
    Path(place.session("one"), ".work.json.abc.tmp").write_text("{")
    age(place.session("one"), 90)
    # Resumed, the second is the latest; the highest number is in a folder that nobody has touched since.
    perform(place, Act("begin", "two", 2))
    assert remove_old_sessions(place, time.time()) == 1
    assert sessions(place) == ["three", "two"]
    assert begin_session(place, "four", "2026-01-01T00:00:00Z", 0).session == 4


# `lessons init --project`.


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
        set_up_project(place, git_ignore=True)
    assert not os.path.exists(place.own)
    assert not Path(place.root, ".gitignore").exists()
    assert os.listdir(outside) == []


@pytest.mark.parametrize("root", ["/", "~"])
def test_refused_where_no_project_is(place: StatePaths, root: str) -> None:
    root = os.path.expanduser(root)
    with pytest.raises(Refused, match="is no project"):
        set_up_project(StatePaths(place.home, root), git_ignore=False)


def test_everything_is_moved(place: StatePaths) -> None:
    for kind in KINDS:
        for session in ("one", "two"):
            perform(place, Act(kind, session, 3))
    before = [keys(place, kind) for kind in LINES]
    done = set_up_project(place, git_ignore=True)
    here = done.paths
    assert here.in_project and not done.already
    assert len(done.moved) == 15  # two sessions with four each, and the seven that they share
    for session in ("one", "two"):
        assert {written(here, kind, session) for kind in set(DOCUMENTS) - {"tracker"}} == {f"{session}-3"}
        assert problems_of(here, session) == []
    assert [keys(here, kind) for kind in LINES] == before
    assert session_states.read_latest(here) == session_states.read_of(here, "two")
    assert sorted(os.listdir(place.own)) == ["project.json", "state.lock"]
    again = set_up_project(place, git_ignore=True)
    assert (again.already, again.moved, again.ignored) == (True, [], [])


def test_what_is_newer_in_the_project_stays(place: StatePaths) -> None:
    """As after a time in which its folders were missing, and the data home was used."""
    perform(place, Act("handoff", "one", 1))
    perform(place, Act("commits", "one", 1))
    here = set_up_project(place, git_ignore=False).paths
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
    set_up_project(place, git_ignore=False)
    assert written(here, "handoff", "one") == "one-1"
    assert written(here, "handoff", "two") == "two-5"
    assert keys(here, "commits") == ["one-1-a", "one-1-b", "one-2-a", "one-2-b"]


def test_what_cannot_be_read_stays_behind(place: StatePaths, tmp_path: Path) -> None:
    perform(place, Act("auto-save", "one", 1))
    (tmp_path / "mine").write_text("{}")
    Path(auto_save.own_file(place, "one")).unlink()
    Path(auto_save.own_file(place, "one")).symlink_to(tmp_path / "mine")
    here = set_up_project(place, git_ignore=False).paths
    assert Path(auto_save.own_file(place, "one")).is_symlink()
    assert auto_save.read_of(here, "one") is None and auto_save.read_latest(here) is not None


def test_git_sees_nothing_of_it(place: StatePaths) -> None:
    Path(place.root, ".git").rmdir()
    subprocess.run(["git", "init", "--quiet", place.root], check=True)
    here = set_up_project(place, git_ignore=True).paths
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
    known=st.sets(st.sampled_from(IGNORED)),
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
    missing = [line for line in IGNORED if line not in known]
    assert add_ignored(str(file)) == missing
    after = file.read_bytes()
    assert after.startswith(before)
    assert all(after.decode().splitlines().count(line) == 1 for line in IGNORED)
    assert add_ignored(str(file)) == []
    assert file.read_bytes() == after
    if missing and b"\r\n" in before and not known:
        assert after.count(b"\n") == after.count(b"\r\n")
