"""State files: whatever is in their place no reader breaks and the next write works; each record of a log once."""

import json
import os
import random
import signal
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lessons.errors import Refused
from lessons.project_state import GitState, Handoff, RanCommand
from lessons.store import logs
from lessons.store.state import problems_of, set_up_project
from lessons.store.state_files import (
    agent_invocations,
    all_handoffs,
    auto_save,
    commit_log,
    commit_tracker,
    context_tracking,
    handoffs,
    session_states,
)
from lessons.store.state_paths import StatePaths
from tests.sizes import examples
from tests.store.state_writers import DOCUMENTS, LINES, Act, commit, invocation, keys, perform, project, written
from tests.tables import table

ROOT = Path(__file__).parents[2]


@pytest.fixture
def place(tmp_path: Path) -> StatePaths:
    return project(tmp_path)


# Damage.

FileOf = Callable[[StatePaths], str]
# Each kind of act and the files that it writes.
FILES: dict[str, tuple[str, FileOf]] = {
    "begin-latest": ("begin", session_states.file_of),
    "begin-own": ("begin", lambda place: session_states.own_file(place, "one")),
    "context-own": ("context", lambda place: context_tracking.own_file(place, "one")),
    "handoff-latest": ("handoff", handoffs.file_of),
    "handoff-own": ("handoff", lambda place: handoffs.own_file(place, "one")),
    "tracker": ("tracker", commit_tracker.file_of),
    "commits": ("commits", commit_log.file_of),
    "agents": ("agents", agent_invocations.file_of),
}
TEXTS = {
    "empty": b"",
    "cut": b'{"sessionId": "on',
    "garbage": bytes(range(256)),
    "no text": b'{"sessionId": "\xff"}',
    "half a character": b'{"lastRequest": "\\ud800"}',
    "a list": b"[]",
    "wrong types": b'{"sessionId": 1, "filesRead": 2, "lastSave": "x", "lastHead": [], "git": 3}',
    "deep": b"[" * 100_000,
    "deep in place": b'{"x":' * 100_000,
}


def read_everything(place: StatePaths) -> None:
    for file in (session_states, auto_save, context_tracking, handoffs):
        file.read_latest(place)
        file.read_of(place, "one")
    commit_tracker.read(place)
    commit_log.read(place)
    agent_invocations.read(place)
    all_handoffs(place)


@table("damage", TEXTS)
@table("name", FILES)
def test_another_text(tmp_path: Path, name: str, damage: str) -> None:
    place, (kind, file_of) = project(tmp_path), FILES[name]
    path = Path(file_of(place))
    path.parent.mkdir(parents=True)
    path.write_bytes(TEXTS[damage])
    read_everything(place)
    is_told = any(problem.startswith(f"{path} ") for problem in problems_of(place, "one"))
    assert is_told or damage not in ("cut", "garbage", "a list", "deep")
    perform(place, Act(kind, "one", 7))
    # Of a file of lines each bad one is passed over, and the good ones around it count.
    assert kind not in LINES or keys(place, kind) == ["one-7-a", "one-7-b"]
    assert kind in LINES or problems_of(place, "one") == []


@table("there", ["link", "link to nothing", "link to a folder", "pipe"])
@table("name", FILES)
def test_another_thing(tmp_path: Path, name: str, there: str) -> None:
    place, (kind, file_of) = project(tmp_path), FILES[name]
    path, outside = Path(file_of(place)), tmp_path / "outside"
    path.parent.mkdir(parents=True)
    outside.mkdir()
    (outside / "f.json").write_text("{}")
    if there == "pipe":
        os.mkfifo(path)
    else:
        path.symlink_to({"link": outside / "f.json", "link to a folder": outside}.get(there, outside / "none"))
    read_everything(place)
    wrong = (f"{path} is ", f"{path} cannot be read (it is not a regular file)")
    assert any(problem.startswith(wrong) for problem in problems_of(place, "one"))
    perform(place, Act(kind, "one", 7))
    assert problems_of(place, "one") == []
    assert [each.name for each in outside.iterdir()] == ["f.json"]
    assert (outside / "f.json").read_text() == "{}"


@pytest.mark.parametrize("in_project", [True, False])
@pytest.mark.parametrize("which", ["sessions", "sessions/one"])
def test_nothing_is_written_through_a_folder_that_is_a_link(tmp_path: Path, which: str, in_project: bool) -> None:
    place = project(tmp_path)
    if in_project:
        place = set_up_project(place, git_ignore=False).paths
    folder = Path(place.state, which)
    folder.parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / "outside").mkdir()
    folder.symlink_to(tmp_path / "outside")
    read_everything(place)
    assert problems_of(place, "one")[0].endswith(f"is in {folder}, which is no plain folder: it counts as empty.")
    with pytest.raises(Refused, match="is no plain folder"):
        perform(place, Act("handoff", "one", 7))
    assert [*(tmp_path / "outside").iterdir()] == []


# Several writers.

WRITER = """
import sys
from lessons.errors import Busy
from lessons.store.state_paths import state_paths_of
from tests.store.state_writers import KINDS, Act, perform
home, root, session, start, count = sys.argv[1:]
place = state_paths_of(home, root)
acts = [Act(kind, session, number) for number in range(int(start), int(start) + int(count)) for kind in KINDS]
while acts:
    try:
        perform(place, acts[0])
    except Busy:  # on a slow machine the other writer may hold the lock each time we look
        continue
    if acts.pop(0).kind == KINDS[-1]:
        print((acts or [Act("", "", int(start) + int(count))])[0].number - 1, flush=True)
"""
ROUNDS = 2


def test_a_repository_cannot_make_the_lock(place: StatePaths, tmp_path: Path) -> None:
    here = set_up_project(place, git_ignore=False).paths
    (tmp_path / "mine").write_text("mine")
    for folder in (here.hooks, here.state):
        for name in ("state.lock", "lock", "handoff.json.lock"):
            (Path(folder) / name).symlink_to(tmp_path / "mine")
    perform(here, Act("handoff", "one", 1))
    assert (tmp_path / "mine").read_text() == "mine"


def writer(place: StatePaths, session: str, start: int, count: int) -> "subprocess.Popen[str]":
    command = [sys.executable, "-c", WRITER, place.home, place.root, session, str(start), str(count)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT)


@pytest.mark.parametrize("set_up", [False, True])
def test_sessions_side_by_side_and_kills(place: StatePaths, set_up: bool) -> None:
    """One goes on, another is killed somewhere again and again, and the project may be set up meanwhile."""
    chance = random.Random(7)
    steady = writer(place, "steady", 0, 10)
    told: list[int] = []
    for number in range(ROUNDS):
        with writer(place, "killed", number * 100, 100) as process:
            assert process.stdout is not None
            told += [int(process.stdout.readline()) for _ in range(chance.randint(1, 4))]
            if set_up and number == 1:
                place = set_up_project(place, git_ignore=True).paths
            process.send_signal(signal.SIGKILL)
        assert [problem for session in ("steady", "killed") for problem in problems_of(place, session)] == []
    steady.communicate(timeout=120)
    assert steady.returncode == 0 and place.in_project is set_up
    for kind in LINES:
        found = keys(place, kind)
        assert len(found) == len(set(found))
        assert {f"steady-{number}-{part}" for number in range(10) for part in "ab"} <= set(found)
        assert {f"killed-{number}-{part}" for number in told for part in "ab"} <= set(found)
    for kind in set(DOCUMENTS) - {"tracker"}:
        assert written(place, kind, "steady") == "steady-9"
        last = written(place, kind, "killed")
        assert last is not None and int(last.partition("-")[2]) >= told[-1]
    states = [session_states.read_of(place, session) for session in ("steady", "killed")]
    assert {state.session for state in states if state} == {1, 2}
    assert logs.read_faults(place.home) == []


# Handoffs: each session has its own, the project the latest.


def save(place: StatePaths, session: str, timestamp: str, **about: str) -> Handoff:
    made = Handoff(session_id=session, timestamp=timestamp, **about)  # type: ignore[arg-type]
    handoffs.write(place, session, made)
    return made


def test_all_handoffs_are_found_the_newest_first(place: StatePaths) -> None:
    assert (handoffs.read_latest(place), handoffs.read_of(place, "one"), all_handoffs(place)) == (None, None, [])
    first = save(place, "one", "2026-01-02T00:00:00Z", last_request="first")
    second = save(place, "two", "2026-01-01T00:00:00.500+00:00", last_request="second")
    third = save(place, "three", "2026-01-01T00:00:00Z")
    odd = save(place, "odd", "yesterday")
    assert handoffs.read_of(place, "two") == second
    assert handoffs.read_latest(place) == odd
    assert all_handoffs(place) == [first, second, third, odd]
    Path(handoffs.own_file(place, "odd")).unlink()
    assert all_handoffs(place)[-1] == odd, "the latest counts if its session is gone"


def test_all_fields_of_the_contract_are_there(place: StatePaths) -> None:
    full = Handoff(
        session_id="one",
        git=GitState(branch="main", head="abc", uncommitted=[" M a.py"], uncommitted_count=1),
        worked=[RanCommand(command="make test", exit_code=0)],
        failed=[RanCommand(command="printf '\udcff\\n'", exit_code=2, error="日本\n\x1b[31m")],
    )
    handoffs.write(place, "one", full)
    document = json.loads(Path(handoffs.file_of(place)).read_text(encoding="utf-8"))
    seed = ["version", "timestamp", "session", "git", "tasks", "filesRead", "recentCommits", "context"]
    assert [*document][:8] == seed
    assert (document["version"], document["git"]["branch"], document["git"]["head"]) == (2, "main", "abc")
    assert document["worked"] == [{"command": "make test", "exitCode": 0, "error": "", "time": ""}]
    assert document["failed"][0]["command"] == "printf '?\\n'"
    read = handoffs.read_of(place, "one")
    assert read is not None and read.failed[0].error == full.failed[0].error


def test_only_the_person_may_read_what_is_in_the_data_home(place: StatePaths) -> None:
    save(place, "one", "2026-01-01T00:00:00Z")
    made = [Path(folder) / name for folder, folders, files in os.walk(place.own) for name in [*folders, *files]]
    modes = {stat.S_IMODE(path.stat().st_mode) for path in made if path.suffix != ".lock"}
    assert modes == {0o700, 0o600}


def test_in_the_project_files_have_the_usual_mode(place: StatePaths) -> None:
    mask = os.umask(0o027)
    try:
        here = set_up_project(place, git_ignore=False).paths
        save(here, "one", "2026-01-01T00:00:00Z")
    finally:
        os.umask(mask)
    assert stat.S_IMODE(os.stat(handoffs.file_of(here)).st_mode) == 0o640
    assert stat.S_IMODE(os.stat(here.session("one")).st_mode) == 0o750


# The logs: each record once, whole after any cut, the newest 300 stay when they have become more than 500.


def add(place: StatePaths, kind: str, names: list[str]) -> int:
    if kind == "commits":
        return commit_log.add(place, [commit(name) for name in names])
    return agent_invocations.add(place, [invocation(name) for name in names])


def path_of(place: StatePaths, kind: str) -> Path:
    return Path(commit_log.file_of(place) if kind == "commits" else agent_invocations.file_of(place))


both = pytest.mark.parametrize("kind", ["commits", "agents"])


@both
def test_what_is_known_is_not_added_again(place: StatePaths, kind: str) -> None:
    assert add(place, kind, ["a", "b", "a"]) == 2
    before = path_of(place, kind).read_bytes()
    assert add(place, kind, ["b", "a"]) == 0
    assert path_of(place, kind).read_bytes() == before
    assert add(place, kind, ["c", "a"]) == 1
    assert keys(place, kind) == ["a", "b", "c"]


@both
def test_a_line_is_one_of_the_contract(place: StatePaths, kind: str) -> None:
    add(place, kind, ["a\nb\r\u2028c"])
    content = path_of(place, kind).read_bytes()
    assert content.count(b"\n") == 1 and content.endswith(b"\n")
    fields = {
        "commits": "timestamp hash shortHash message author authorDate branch filesChanged filesList session",
        "agents": "timestamp agent prompt session",
    }
    assert [*json.loads(content)][: len(fields[kind].split())] == fields[kind].split()


@both
@pytest.mark.parametrize(("there", "more", "kept"), [(499, 1, 500), (500, 1, 300), (490, 60, 300), (0, 900, 300)])
def test_rotation_keeps_the_newest(place: StatePaths, kind: str, there: int, more: int, kept: int) -> None:
    names = [f"c{number}" for number in range(there + more)]
    add(place, kind, names[:there])
    assert add(place, kind, names[there:]) == more
    assert keys(place, kind) == names[-kept:]
    assert path_of(place, kind).read_bytes().count(b"\n") == kept


@both
@given(cut=st.integers(0, 2000), rest=st.binary(max_size=30))
@settings(deadline=None, max_examples=examples(60))
def test_a_cut_costs_only_what_it_cut(
    tmp_path_factory: pytest.TempPathFactory, kind: str, cut: int, rest: bytes
) -> None:
    """After any cut, and whatever came behind it, a repeated write leaves all records, each once."""
    place = project(tmp_path_factory.mktemp("cut"))
    names = ["a", "b", "c"]
    add(place, kind, names)
    path = path_of(place, kind)
    whole = path.read_bytes()
    path.write_bytes(whole[:cut] + rest)
    left = keys(place, kind)
    # The last one is whole too where only its line end is gone and nothing came behind.
    complete = whole[:cut].count(b"\n")
    assert left[:complete] == names[:complete] and len(left) <= complete + 1
    add(place, kind, names)
    assert sorted(map(str, keys(place, kind))) == names
    add(place, kind, ["d"])
    assert path.read_bytes().splitlines()[-1].startswith(b"{") and keys(place, kind)[-1] == "d"
