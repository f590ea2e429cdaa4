"""Old sessions go, and nothing else does."""

import os
import time
from pathlib import Path

from lessons.store.project_state import deprecated, old_sessions, session_state
from lessons.store.project_state.problems import problems_of
from lessons.store.project_state.project_mark import set_up
from lessons.store.project_state.state_paths import StatePaths
from tests.store.project_state.writers import Act, perform

DAY = 24 * 3600


def sessions(place: StatePaths) -> list[str]:
    return sorted(os.listdir(place.state + "/sessions"))


def age(folder: str, days: float) -> None:
    then = time.time() - days * DAY
    for path in [*Path(folder).iterdir(), Path(folder)]:
        os.utime(path, (then, then), follow_symlinks=False)


def fill(place: StatePaths, *names: str, days: float = 61) -> None:
    for name in names:
        for kind in ("begin", "handoff", "work", "context", "auto-save"):
            perform(place, Act(kind, name, 1))
        age(place.session(name), days)


def test_nothing_to_remove(place: StatePaths) -> None:
    assert old_sessions.remove(place, time.time()) == 0
    fill(place, "one", "two", days=59)
    assert old_sessions.remove(place, time.time()) == 0
    assert sessions(place) == ["one", "two"]


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
    assert old_sessions.remove(place, time.time()) == 0
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
    assert old_sessions.remove(place, time.time()) == 1
    assert sessions(place) == ["three", "two"]
    assert session_state.begin(place, "four", "2026-01-01T00:00:00Z", 0, lambda process: True).session == 4


def test_a_bounded_number_at_a_time(place: StatePaths) -> None:
    for number in range(205):
        folder = Path(place.session(f"s{number}"))
        folder.mkdir(parents=True)
        age(str(folder), 90)
    assert [old_sessions.remove(place, time.time()) for _ in range(3)] == [200, 4, 0]


def test_what_a_kill_left_half_written_goes_after_a_day(place: StatePaths) -> None:
    fill(place, "one", days=0)
    for folder in (place.hooks, place.state):
        for name in (".handoff.json.x1.tmp", "..session-state.json.x2.tmp", ".mine.json.x.tmp"):
            Path(folder, name).write_text("{")
    assert old_sessions.remove(place, time.time()) == 0
    assert len([*Path(place.hooks).glob("*.tmp")]) == 3
    old_sessions.remove(place, time.time() + 2 * DAY)
    for folder in (place.hooks, place.state):
        assert [path.name for path in Path(folder).glob("*.tmp")] == [".mine.json.x.tmp"]


def test_deprecated_files_are_moved_away_and_told(place: StatePaths, tmp_path: Path) -> None:
    here = set_up(place, git_ignore=False).paths
    assert deprecated.clean_up(here) == []
    for again in range(2):
        for name in (".handoff-state.json", ".agent-trigger-state.json", "other.json"):
            Path(here.hooks, name).write_text(f"{again}")
        Path(here.state, "pending-reviews.json").write_text(f"{again}")
        assert len(deprecated.clean_up(here)) == 3
        assert os.listdir(here.hooks) == ["other.json"]
        assert os.listdir(here.state) == []
    moved = deprecated.moved(here)
    assert sorted(Path(path).read_text() for path in moved) == ["0"] * 3 + ["1"] * 3
    assert all(path.startswith(here.own) for path in moved)
    assert len([problem for problem in problems_of(here) if "nothing uses it any more" in problem]) == 6


def test_only_plain_files_are_moved_away(place: StatePaths, tmp_path: Path) -> None:
    here = set_up(place, git_ignore=False).paths
    (tmp_path / "mine").write_text("mine")
    Path(here.hooks, ".handoff-state.json").symlink_to(tmp_path / "mine")
    Path(here.state, "pending-reviews.json").mkdir()
    assert deprecated.clean_up(here) == []
    assert deprecated.moved(here) == []
