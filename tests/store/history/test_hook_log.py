"""The hook's log moves into the history: no line is lost, none is stored twice, whatever happens meanwhile."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from lessons.store import injection_files
from lessons.store.history.history import History
from lessons.store.history.hook_log import fold, logged, with_delivery
from lessons.store.injection_files import Event
from tests.builders.client_lines import REJECTED
from tests.builders.history import ScannedHome
from tests.builders.transcript import Session


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
        return fold(history)


def numbers(home: Path) -> list[str]:
    return [str(event.get("toolUseId")) for event in logged(str(home))]


@pytest.mark.parametrize("text", ["{", "[1]\n", '{"time":"x","session":{"a":1}}\n'])
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


_APPEND = """
import sys
from tests.store.history.test_hook_log import line
from lessons.store.logs import append_line
for number in range(int(sys.argv[2]), int(sys.argv[2]) + 400):
    append_line(sys.argv[1] + "/injections.jsonl", line(0, toolUseId=f"t{number:05}").rstrip())
"""


def test_processes_that_append_while_others_fold(tmp_path: Path) -> None:
    """Two scans at once are kept apart by a lock; here they are not, and it does no harm either."""
    writers = [subprocess.Popen([sys.executable, "-c", _APPEND, str(tmp_path), str(400 * each)]) for each in range(3)]
    program = (
        "import sys; from pathlib import Path; from tests.store.history.test_hook_log import folded\n"
        "for _ in range(20): folded(Path(sys.argv[1]))"
    )
    folder = [sys.executable, "-c", program, str(tmp_path)]
    others = [subprocess.Popen(folder) for _ in range(2)]
    assert [process.wait(timeout=120) for process in (*writers, *others)] == [0] * 5
    folded(tmp_path)
    assert sorted(numbers(tmp_path)) == [f"t{number:05}" for number in range(1200)]


_KILLED = """
import os, sys, signal
from pathlib import Path
from lessons.store import injection_files
from lessons.store.history.ledger import Injections
from tests.store.history.test_hook_log import folded

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


AGENT = "a7a6540f1856ccda9"


def event(call: object, name: str = "PreToolUse", decision: str = "hint") -> Event:
    return {"event": name, "toolUseId": call, "decision": decision, "slug": "slug"}


def delivered(home: str, *events: Event) -> list[object]:
    return [each.get("delivered", "no word") for each in with_delivery(home, events)]


@pytest.fixture
def home(tmp_path: Path) -> ScannedHome:
    return ScannedHome(tmp_path)


class Calls:
    """The ids of calls that ended in all ways, in a thread of its own."""

    def __init__(self, session: Session) -> None:
        def called() -> str:
            return session.call("Bash", {"command": "git stash"})

        self.ran, self.failed, self.rejected, self.remark = called(), called(), called(), called()
        self.running, self.background, self.silent = called(), called(), called()
        self.stopped, self.cancelled = called(), called()
        session.hook_context(self.ran, "a fact")
        session.result(self.ran, "done")
        session.result(self.failed, "Exit code 1\nno", error=True)
        session.hook_context(self.failed, "a fact", "PostToolUseFailure")
        session.result(self.rejected, REJECTED, denial="user-rejected")
        session.hook_context(self.remark, "a fact")
        session.result(self.remark, REJECTED + " The user said: wait", denial="user-rejected")
        session.result(self.background, "Command running in background with ID: b1", background="b1")
        session.result(self.silent, "done")  # as older clients write it: they record nothing of what they send
        session.result(self.stopped, REJECTED, denial="interrupted")
        session.result(self.cancelled, "<tool_use_error>Sibling tool call errored</tool_use_error>", error=True)


def test_without_a_history_nothing_is_known_and_none_is_made(home: ScannedHome) -> None:
    assert delivered(home.path, event("toolu_1"), event(None), event("x", decision="stop")) == [None, None, "no word"]
    assert with_delivery(home.path, []) == []
    assert list(home.home.iterdir()) == []


@pytest.mark.parametrize("damage", [b"", b"no database at all"])
def test_with_a_damaged_history_nothing_is_known(home: ScannedHome, damage: bytes) -> None:
    home.file.write_bytes(damage)
    assert delivered(home.path, event("toolu_1")) == [None]
    assert home.file.read_bytes() == damage


@pytest.mark.parametrize("agent_id", ["", AGENT])
def test_every_end_of_a_call(home: ScannedHome, agent_id: str) -> None:
    session = Session()
    session.prompt("do it")
    calls = Calls(session.subagent(agent_id) if agent_id else session)
    session.write(home.transcripts)
    home.scan()
    expected = {
        calls.running: (None, None),
        calls.background: (None, None),
        calls.rejected: (False, False),
        calls.silent: (None, None),
        calls.failed: (None, True),
        calls.ran: (True, None),
        calls.remark: (True, False),
        calls.stopped: (False, False),
        calls.cancelled: (False, False),
        "toolu_of_another_machine": (None, None),
    }
    for call, answers in expected.items():
        assert delivered(home.path, event(call), event(call, "PostToolUseFailure")) == [*answers]
