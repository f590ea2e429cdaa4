"""Whatever lies where a state file should be: no reader breaks, it is told, the next write works, nothing is lost."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lessons.store import faults
from lessons.store.project_state import handoff, project_mark, session_state
from lessons.store.project_state.problems import problems_of
from lessons.store.project_state.state_files import (
    agent_invocations,
    auto_save,
    commit_log,
    commit_tracker,
    context_tracking,
    documents_in,
    documents_of,
    logs_of,
    work_file,
)
from lessons.store.project_state.state_paths import StatePaths, state_paths_of
from tests.sizes import examples
from tests.store.project_state.writers import KINDS, LINES, Act, commit, keys, perform, project

# Each kind of act and the files that it writes.
OWN: dict[str, Callable[[StatePaths, str], str]] = {
    "begin": session_state.own_file,
    "end": session_state.own_file,
    "auto-save": auto_save.own_file,
    "context": context_tracking.own_file,
    "handoff": handoff.own_file,
    "work": work_file.own_file,
}
SHARED: dict[str, Callable[[StatePaths], str]] = {
    "begin": session_state.latest_file,
    "end": session_state.latest_file,
    "auto-save": auto_save.latest_file,
    "context": context_tracking.latest_file,
    "handoff": handoff.latest_file,
    "tracker": commit_tracker.file_of,
    "commits": commit_log.file_of,
    "agents": agent_invocations.file_of,
}
TEXTS = {
    "empty": b"",
    "cut": b'{"sessionId": "on',
    "garbage": bytes(range(256)),
    "zeroes": b"\0" * 4096,
    "no text": b'{"sessionId": "\xff"}',
    "half a character": b'{"lastRequest": "\\ud800"}',
    "a list": b"[]",
    "null": b"null",
    "wrong types": b'{"sessionId": 1, "filesRead": 2, "lastSave": "x", "lastHead": [], "offset": {}, "git": 3}',
    "deep": b"[" * 100_000,
    "deep in place": b'{"x":' * 100_000,
}
files = pytest.mark.parametrize(
    ("kind", "file_of"),
    [
        *((kind, file_of) for kind, file_of in SHARED.items()),
        *((kind, lambda place, kind=kind: OWN[kind](place, "one")) for kind in OWN),
    ],
    ids=[*(f"{kind}-latest" for kind in SHARED), *(f"{kind}-own" for kind in OWN)],
)
FileOf = Callable[[StatePaths], str]


def read_everything(place: StatePaths) -> None:
    session_state.read_latest(place)
    session_state.read_of(place, "one")
    auto_save.read_or_new(place, "one")
    context_tracking.read_or_new(place, "one")
    commit_tracker.read(place)
    commit_log.read(place)
    agent_invocations.read(place)
    handoff.read_latest(place)
    handoff.read_of(place, "one")
    handoff.all_of(place)
    work_file.read_or_new(place, "one")


def survives(place: StatePaths, kind: str, path: str) -> None:
    """No reader breaks, the problem is told, the next write works, and then all is well with the file."""
    read_everything(place)
    assert any(problem.startswith(path + " ") for problem in problems_of(place, "one"))
    perform(place, Act(kind, "one", 7))
    asides = [*Path(path).parent.glob(Path(path).name + ".damaged-*")]
    after = problems_of(place, "one")
    assert not any(problem.startswith(path + " ") for problem in after)
    assert [problem for problem in after if "was damaged and set aside" in problem] == [
        f"{aside} was damaged and set aside: delete it when you no longer need it." for aside in asides
    ]
    assert len(asides) == 1 and f"set aside as {asides[0].name}" in faults.read(place.home)[-1]
    if kind in LINES:
        assert keys(place, kind) == ["one-7-a", "one-7-b"]


@files
@pytest.mark.parametrize("damage", TEXTS)
def test_another_text(place: StatePaths, kind: str, file_of: FileOf, damage: str) -> None:
    path = Path(file_of(place))
    path.parent.mkdir(parents=True)
    path.write_bytes(TEXTS[damage])
    if kind not in LINES:
        survives(place, kind, str(path))
        assert [aside.read_bytes() for aside in path.parent.glob("*.damaged-*")] == [TEXTS[damage]]
        return
    # Of a file of lines each bad one is passed over, and the good ones around it count.
    read_everything(place)
    perform(place, Act(kind, "one", 7))
    perform(place, Act(kind, "one", 8))
    assert keys(place, kind) == ["one-7-a", "one-7-b", "one-8-a", "one-8-b"]
    told = [problem for problem in problems_of(place) if "unreadable line" in problem]
    assert len(told) == (damage != "empty")


@files
@pytest.mark.parametrize("there", ["folder", "full folder", "link", "link to nothing", "link to a folder", "pipe"])
def test_another_thing(place: StatePaths, tmp_path: Path, kind: str, file_of: FileOf, there: str) -> None:
    path, outside = Path(file_of(place)), tmp_path / "outside"
    path.parent.mkdir(parents=True)
    outside.mkdir()
    (outside / "f.json").write_text("{}")
    if there.startswith("link"):
        path.symlink_to({"link": outside / "f.json", "link to a folder": outside}.get(there, outside / "none"))
    elif there == "pipe":
        os.mkfifo(path)
    else:
        path.mkdir()
        if there == "full folder":
            (path / "f.json").write_text("mine")
    survives(place, kind, str(path))
    assert [each.name for each in outside.iterdir()] == ["f.json"]
    assert (outside / "f.json").read_text() == "{}"


@pytest.mark.parametrize("in_project", [True, False])
@pytest.mark.parametrize("kind", OWN)
@pytest.mark.parametrize("there", ["link", "file"])
@pytest.mark.parametrize("which", ["sessions", "sessions/one"])
def test_another_thing_for_a_folder(
    place: StatePaths, tmp_path: Path, kind: str, there: str, which: str, in_project: bool
) -> None:
    if in_project:
        place = project_mark.set_up(place, git_ignore=False).paths
    folder = Path(place.state, which)
    folder.parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / "outside").mkdir()
    if there == "link":
        folder.symlink_to(tmp_path / "outside")
    else:
        folder.write_text("mine")
    read_everything(place)
    assert problems_of(place, "one")
    perform(place, Act(kind, "one", 7))
    assert Path(OWN[kind](place, "one")).is_file()
    assert [*(tmp_path / "outside").iterdir()] == []
    assert "is no plain folder: set aside as" in faults.read(place.home)[0]


AS_ANYONE = """
import ctypes, os, sys
for right in (1, 2):  # to read and write what the mode forbids: root has both
    ctypes.CDLL(None).prctl(24, right, 0, 0, 0)
os.execv(sys.executable, [sys.executable, "-c", sys.argv[1], *sys.argv[2:]])
"""
UNREADABLE = """
import os, sys
from tests.store.project_state.test_damage import OWN, SHARED, survives
from lessons.store.project_state.state_paths import state_paths_of
home, root, kind, which = sys.argv[1:]
place = state_paths_of(home, root)
path = OWN[kind](place, "one") if which == "own" else SHARED[kind](place)
os.makedirs(os.path.dirname(path))
with open(path, "w") as file:
    file.write("{}")
os.chmod(path, 0)
survives(place, kind, path)
"""


@pytest.mark.parametrize(("kind", "which"), [("handoff", "own"), ("handoff", "latest"), ("commits", "latest")])
def test_a_file_that_may_not_be_read(place: StatePaths, kind: str, which: str) -> None:
    command = [sys.executable, "-c", AS_ANYONE, UNREADABLE, place.home, place.root, kind, which]
    done = subprocess.run(command, capture_output=True, text=True, cwd=Path(__file__).parents[3], timeout=60)
    assert (done.returncode, done.stderr) == (0, "")


@given(kind=st.sampled_from(KINDS), content=st.binary() | st.text().map(str.encode), in_project=st.booleans())
@settings(max_examples=examples(60), deadline=None)
def test_any_bytes_in_every_file(
    tmp_path_factory: pytest.TempPathFactory, kind: str, content: bytes, in_project: bool
) -> None:
    place = project(tmp_path_factory.mktemp("bytes"))
    if in_project:
        place = project_mark.set_up(place, git_ignore=False).paths
    shared = documents_of(place) | logs_of(place) | documents_in(place.session("one"))
    for path in map(Path, shared):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    read_everything(place)
    problems_of(place, "one")
    perform(place, Act(kind, "one", 7))
    assert kind not in LINES or {"one-7-a", "one-7-b"} <= set(keys(place, kind))


def test_a_damaged_mark_is_no_mark(place: StatePaths) -> None:
    mark = Path(place.own) / "project.json"
    mark.parent.mkdir(parents=True)
    for text in (*TEXTS.values(), b'{"setUp": "yes"}', b'{"setUp": true}', b'{"setUp": true, "root": 1}'):
        mark.write_bytes(text)
        assert not state_paths_of(place.home, place.root).in_project
        assert not project_mark.is_marked(place)
    assert project_mark.set_up(place, git_ignore=False).paths.in_project


def test_a_commit_with_half_characters_is_known_again(place: StatePaths) -> None:
    odd = commit("abc")
    odd.message, odd.files_list = "caf\udce9", ["\udcff.py"]
    assert [commit_log.add(place, [odd]) for _ in range(2)] == [1, 0]
    assert commit_log.read(place)[0].message == "caf?"
