"""Two sessions write all they have, as fast as they can, and SIGKILL ends one of them somewhere: again and again."""

import random
import signal
import subprocess
import sys
from pathlib import Path

from lessons.store import faults
from lessons.store.project_state import session_state
from lessons.store.project_state.problems import problems_of
from lessons.store.project_state.state_files import auto_save
from lessons.store.project_state.state_paths import StatePaths
from tests.store.project_state.writers import DOCUMENTS, LINES, keys, written

WRITER = """
import sys
from lessons.store.project_state.state_paths import state_paths_of
from tests.store.project_state.writers import KINDS, Act, perform
home, root, session, start, count = sys.argv[1:]
place = state_paths_of(home, root)
for number in range(int(start), int(start) + int(count)):
    for kind in KINDS:
        perform(place, Act(kind, session, number))
    print(number, flush=True)
"""
ROOT = Path(__file__).parents[3]
ROUNDS = 5


def writer(place: StatePaths, session: str, start: int, count: int) -> "subprocess.Popen[str]":
    command = [sys.executable, "-c", WRITER, place.home, place.root, session, str(start), str(count)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT)


def test_sessions_side_by_side_and_a_kill(place: StatePaths) -> None:
    chance = random.Random(7)
    steady = writer(place, "steady", 0, 40)
    told: list[int] = []
    for number in range(ROUNDS):
        with writer(place, "killed", number * 100, 100) as process:
            assert process.stdout is not None
            told += [int(process.stdout.readline()) for _ in range(chance.randint(1, 4))]
            process.send_signal(signal.SIGKILL)
        assert [problem for session in ("steady", "killed") for problem in problems_of(place, session)] == []
    steady.communicate(timeout=120)
    assert steady.returncode == 0
    check(place, told)


def check(place: StatePaths, told: list[int]) -> None:
    for kind in LINES:
        found = keys(place, kind)
        assert len(found) == len(set(found))
        assert {f"steady-{number}-{part}" for number in range(40) for part in "ab"} <= set(found)
        assert {f"killed-{number}-{part}" for number in told for part in "ab"} <= set(found)
    assert auto_save.read_or_new(place, "steady").save_count == 40
    # Each killed writer may have done one more than it could tell of.
    assert len(told) <= auto_save.read_or_new(place, "killed").save_count <= len(told) + ROUNDS * 20
    for kind in set(DOCUMENTS) - {"tracker"}:
        assert written(place, kind, "steady") == "steady-39"
        last = written(place, kind, "killed")
        assert last is not None and int(last.partition("-")[2]) >= told[-1]
    states = [session_state.read_of(place, session) for session in ("steady", "killed")]
    assert {state.session for state in states if state} == {1, 2}
    assert faults.read(place.home) == []
