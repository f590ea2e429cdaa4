"""One writer of a project at a time; another project, and another worktree, does not wait."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from lessons.errors import Busy
from lessons.store.project_state import handoff
from lessons.store.project_state.project_mark import set_up
from lessons.store.project_state.state_lock import locked_state
from lessons.store.project_state.state_paths import StatePaths
from tests.store.project_state.writers import Act, perform, project

HOLDER = """
import sys
from lessons.store.project_state.state_paths import state_paths_of
from lessons.store.project_state.state_lock import locked_state
with locked_state(state_paths_of(*sys.argv[1:])):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_a_held_lock_is_busy_and_a_dead_holder_frees_it(place: StatePaths, tmp_path: Path) -> None:
    command = [sys.executable, "-c", HOLDER, place.home, place.root]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None and process.stdout.readline() == "held\n"
        with pytest.raises(Busy, match="is still being written"), locked_state(place, seconds=0.1):
            pytest.fail("two holders")
        with locked_state(project(tmp_path, "other"), seconds=0.1):
            pass
        process.send_signal(signal.SIGKILL)
    with locked_state(place):
        pass


def test_who_waited_writes_to_where_the_state_lies_now(place: StatePaths) -> None:
    """Its own idea of the place is from before `lessons init --project`."""
    assert not place.in_project
    set_up(place, git_ignore=False)
    perform(place, Act("handoff", "one", 1))
    now = StatePaths(place.home, place.root)
    assert now.in_project
    assert handoff.read_of(now, "one") is not None
    assert handoff.read_of(place, "one") is None


def test_a_repository_cannot_lay_the_lock_out(place: StatePaths, tmp_path: Path) -> None:
    here = set_up(place, git_ignore=False).paths
    (tmp_path / "mine").write_text("mine")
    for folder in (here.hooks, here.state):
        for name in ("state.lock", "lock", "handoff.json.lock"):
            (Path(folder) / name).symlink_to(tmp_path / "mine")
    perform(here, Act("handoff", "one", 1))
    assert (tmp_path / "mine").read_text() == "mine"
