"""The hook's log moves into the history: no line is lost, none is stored twice, whatever happens meanwhile."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lessons.ledger.fold import fold
from lessons.store import injection_files
from lessons.store.history.history import History
from lessons.store.history.logged import logged
from tests.sizes import examples


def line(number: int, **changes: object) -> str:
    event = {
        "time": f"2026-09-01T10:00:{number:02}.000Z",
        "event": "PreToolUse",
        "agent": "claude-code",
        "session": "s1",
        "agentId": None,
        "toolUseId": f"t{number}",
        "tool": "Bash",
        "cwd": "/srv/shop",
        "model": None,
        "lesson": "id-a",
        "slug": "a",
        "decision": "hint",
        "why": "toolNames",
    }
    return json.dumps({**event, **changes}, separators=(",", ":")) + "\n"


def append(home: Path, text: str, name: str = "injections.jsonl") -> None:
    with (home / name).open("a", encoding="utf-8") as file:
        file.write(text)


def folded(home: Path) -> int:
    with History.opened(str(home)) as history:
        return fold(history, str(home))


def numbers(home: Path) -> list[str]:
    return [str(event.get("toolUseId")) for event in logged(str(home))]


def test_nothing_to_fold(tmp_path: Path) -> None:
    assert folded(tmp_path) == 0
    append(tmp_path, "")
    assert folded(tmp_path) == 0
    assert (tmp_path / "injections.jsonl").exists(), "an empty log is left alone"


@pytest.mark.parametrize(
    "text", ["", "\n\n", "{", "[1]\n", '{"time":', "\x00\x01\n", "     \n", '{"time":"x","session":{"a":1}}\n']
)
def test_what_is_no_line_stops_nothing(tmp_path: Path, text: str) -> None:
    append(tmp_path, text + ("" if text.endswith("\n") else "\n") + line(1))
    folded(tmp_path)
    assert "t1" in numbers(tmp_path)


def test_a_line_that_is_being_written_waits(tmp_path: Path) -> None:
    append(tmp_path, line(1) + line(2)[:40])
    assert folded(tmp_path) == 1
    assert numbers(tmp_path) == ["t1"]


def test_lines_are_stored_once_and_read_as_they_were_written(tmp_path: Path) -> None:
    append(tmp_path, line(1, more=[1, {"a": "\ud800"}]) + line(2, session="x\udc00"))
    before = logged(str(tmp_path))
    assert (folded(tmp_path), folded(tmp_path)) == (2, 0)
    assert logged(str(tmp_path)) == before
    append(tmp_path, line(3))
    assert numbers(tmp_path) == ["t1", "t2", "t3"]
    assert (folded(tmp_path), numbers(tmp_path)) == (1, ["t1", "t2", "t3"])


def test_a_hook_that_still_has_the_old_file_open_loses_nothing(tmp_path: Path) -> None:
    append(tmp_path, line(1))
    with (tmp_path / "injections.jsonl").open("a", encoding="utf-8") as late:
        assert folded(tmp_path) == 1
        append(tmp_path, line(2))
        late.write(line(3))
    assert numbers(tmp_path) == ["t1", "t2", "t3"], "shown before it is folded"
    assert (folded(tmp_path), numbers(tmp_path)) == (2, ["t1", "t2", "t3"])


def test_a_rotated_file_is_deleted_once_nobody_can_write_into_it(tmp_path: Path) -> None:
    append(tmp_path, line(1))
    folded(tmp_path)
    (rotated,) = injection_files.rotated(str(tmp_path))
    append(tmp_path, line(2), Path(rotated).name)
    old = time.time() - injection_files.SECONDS_UNTIL_DELETED - 1
    os.utime(rotated, (old, old))
    assert folded(tmp_path) == 1, "it is read once more before it goes"
    assert injection_files.rotated(str(tmp_path)) == []
    assert numbers(tmp_path) == ["t1", "t2"]


def test_the_sessions_of_new_lines_are_to_be_judged(tmp_path: Path) -> None:
    append(tmp_path, line(1) + line(2, session="s2"))
    folded(tmp_path)
    with History.opened(str(tmp_path)) as history:
        assert history.ledger.unjudged() == {"s1", "s2"}


def test_an_unreadable_history_does_not_hide_the_files(tmp_path: Path) -> None:
    append(tmp_path, line(1))
    (tmp_path / "history.db").write_bytes(b"no database" * 100)
    assert numbers(tmp_path) == ["t1"]


@given(st.lists(st.tuples(st.integers(0, 9), st.booleans()), max_size=30))
@settings(max_examples=examples(25), deadline=None)
def test_any_order_and_repetition_stores_the_same(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[int, bool]]
) -> None:
    home = tmp_path_factory.mktemp("home")
    for number, is_folded in steps:
        append(home, line(number))
        if is_folded:
            folded(home)
    folded(home)
    assert numbers(home) == [f"t{number}" for number in sorted({number for number, _ in steps})]


_APPEND = """
import sys
from tests.ledger.test_fold import line
from lessons.store.append import append_line
for number in range(int(sys.argv[2]), int(sys.argv[2]) + 400):
    append_line(sys.argv[1] + "/injections.jsonl", line(0, toolUseId=f"t{number:05}").rstrip())
"""


def test_processes_that_append_while_others_fold(tmp_path: Path) -> None:
    """Two scans at once are kept apart by a lock; here they are not, and it does no harm either."""
    writers = [subprocess.Popen([sys.executable, "-c", _APPEND, str(tmp_path), str(400 * each)]) for each in range(3)]
    folder = [sys.executable, "-c", "import sys; from pathlib import Path; from tests.ledger.test_fold import folded\n"
              "for _ in range(20): folded(Path(sys.argv[1]))", str(tmp_path)]  # fmt: skip
    others = [subprocess.Popen(folder) for _ in range(2)]
    assert [process.wait(timeout=120) for process in (*writers, *others)] == [0] * 5
    folded(tmp_path)
    assert sorted(numbers(tmp_path)) == [f"t{number:05}" for number in range(1200)]


_KILLED = """
import os, sys, signal
from pathlib import Path
from lessons.store import injection_files
from lessons.store.history.injections import Injections
from tests.ledger.test_fold import folded

def kill(*given, **named):
    os.kill(os.getpid(), signal.SIGKILL)

place, name = (Injections, "add") if sys.argv[2] == "add" else (injection_files, sys.argv[2])
real = getattr(place, name)
def then_kill(*given, **named):
    if sys.argv[3] == "after":
        real(*given, **named)
    kill()
setattr(place, name, then_kill)
folded(Path(sys.argv[1]))
"""


@pytest.mark.parametrize("place", ["rotate", "add", "delete_settled"])
@pytest.mark.parametrize("moment", ["before", "after"])
def test_a_kill_anywhere_loses_and_doubles_nothing(tmp_path: Path, place: str, moment: str) -> None:
    append(tmp_path, line(1) + line(2))
    killed = subprocess.run([sys.executable, "-c", _KILLED, str(tmp_path), place, moment], timeout=60)
    assert killed.returncode == -9
    assert numbers(tmp_path) == ["t1", "t2"]
    append(tmp_path, line(3))
    folded(tmp_path)
    assert numbers(tmp_path) == ["t1", "t2", "t3"]
