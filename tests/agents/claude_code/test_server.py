"""The resident server keeps running whatever it receives, gives no wrong answer, and leaves nothing behind."""

import json
import os
import signal
from pathlib import Path

import pytest

from lessons.agents.claude_code.resident import TOOL as OWN_TOOL
from lessons.agents.hook_settings import TOOL
from tests.hook.installed import Machine, block, lesson, stop
from tests.hook.resident import Resident
from tests.sizes import size

CALLS = size("RESIDENT_CALLS", 2_000)
# A line that no tool call has: the server must pass over it, not keep it.
GIANT = 30 * 1024 * 1024


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    machine = Machine(tmp_path)
    machine.publish(lesson("stash", "git stash"), block("force", "git push --force"), stop("reset", "git reset"))
    return machine


def test_the_model_is_offered_nothing(machine: Machine) -> None:
    with Resident(machine) as server:
        assert OWN_TOOL == TOOL
        assert server.request("tools/list") == {"tools": []}
        assert server.request("server/discover")["code"] == -32601
        assert server.request("ping") == {}
        assert server.request("tools/call", name="other", arguments={})["code"] == -32601
        assert server.request("initialize", protocolVersion="2099-01-01")["protocolVersion"] == "2099-01-01"


@pytest.mark.parametrize(
    "line",
    [
        b"\n", b" \r\n", b"null\n", b"[]\n", b"{\n", b"\xff\xfe\n", b'"text"\n', b"[" * 100_000 + b"\n", b"NaN\n",
        b'{"id": {"a": []}, "method": "tools/call"}\n', b'{"method": "tools/call"}\n', b'{"id": 1}\n',
        b'[{"jsonrpc": "2.0", "id": 1, "method": "ping"}, {"jsonrpc": "2.0", "id": 2, "method": "ping"}]\n',
        b'{"id": 1, "method": ["tools/call"], "params": 3}\n', b'{"id": NaN, "method": "ping"}\n',
        b'{"id": 1, "method": "tools/call", "params": {"name": "hook"}}\n',
        b'{"id": 1, "method": "tools/call", "params": {"name": "hook", "arguments": [1]}}\n',
        b'{"id": 1, "method": "tools/call", "params": {"name": "hook", "arguments": {"tool_name": 3}}}\n',
        b'{"id": 1, "result": {}}\n', b'{"id": "\\ud800", "method": "ping"}\n',
    ],
)  # fmt: skip
def test_a_line_that_makes_no_sense_does_not_end_it(machine: Machine, line: bytes) -> None:
    with Resident(machine) as server:
        server.send(line)
        server.send({"jsonrpc": "2.0", "id": "after", "method": "ping"})
        while (answer := server.read())["id"] != "after":
            assert answer.keys() <= {"jsonrpc", "id", "error", "result"}
        assert server.call(machine.bash("git push --force"))
    assert machine.faults() == ""


def test_a_call_that_is_too_large_runs(machine: Machine) -> None:
    with Resident(machine) as server:
        assert server.call(machine.bash("git push --force " + "a" * (5 << 20))) == ""
        assert server.call(machine.bash("git push --force"))
    assert machine.faults().count("larger than 4 MB and was not examined") == 1
    assert len(machine.injections()) == 1


def test_a_giant_line_is_passed_over(machine: Machine) -> None:
    with Resident(machine) as server:
        before = server.memory()
        server.send(b'{"id": 1, "method": "' + b"x" * GIANT + b'"}\n')
        assert server.call(machine.bash("git push --force"))
        assert server.memory() < before + 20 * 1024
    assert "larger than 4 MB and was not examined" in machine.faults()


def test_pieces_of_a_line_and_several_lines_at_once(machine: Machine) -> None:
    request = json.dumps({"jsonrpc": "2.0", "id": 7, "method": "ping"}).encode()
    with Resident(machine) as server:
        for start in range(0, len(request), 5):
            server.send(request[start : start + 5])
        server.send(b"\n" + request + b"\n" + request + b"\n")
        assert [server.read()["id"] for _ in range(3)] == [7, 7, 7]


def test_switched_off_it_stays_and_says_nothing(machine: Machine) -> None:
    with Resident(machine, LESSONS_DISABLE="1") as server:
        assert server.call(machine.bash("git push --force")) == ""
    assert machine.injections() == []
    assert not (machine.home / "fired" / "PreToolUse").exists()


def test_no_data_home_of_a_project_wins(machine: Machine, tmp_path: Path) -> None:
    other = Machine(tmp_path / "other")
    with Resident(machine, LESSONS_HOME=str(other.home)) as server:
        assert server.call(machine.bash("git push --force"))
        assert server.file.exists()
    assert not (other.home / "warm").exists()


def test_a_pattern_that_hangs_is_interrupted_each_time(machine: Machine) -> None:
    machine.publish(lesson("slow", "^(a+)+$"), block("force", "git push --force"))
    with Resident(machine) as server:
        for number in range(3):
            assert server.call(machine.bash("a" * 40 + "!", tool_use_id=f"slow-{number}")) == ""
            assert server.call(machine.bash("git push --force", tool_use_id=f"sound-{number}"))
    assert machine.faults().count("lesson slow: its pattern is too slow") == 3


def test_a_changed_index_acts_at_the_next_call(machine: Machine) -> None:
    with Resident(machine) as server:
        assert server.call(machine.bash("make deploy", tool_use_id="1")) == ""
        machine.publish(block("deploy", "make deploy"))
        assert "deploy does not allow" in server.call(machine.bash("make deploy", tool_use_id="2"))
        machine.publish(lesson("deploy", "make deploy"))
        assert "additionalContext" in server.call(machine.bash("make deploy", tool_use_id="3"))
        machine.manifest.unlink()
        assert server.call(machine.bash("git push --force", tool_use_id="4")) == ""


def test_what_it_leaves_behind(machine: Machine) -> None:
    with Resident(machine) as server:
        assert server.file.read_text() == f"{server.process.pid}\n"
        assert server.file.stat().st_mode & 0o777 == 0o600
        assert server.end() == 0
        assert list(server.file.parent.iterdir()) == []
    for number in (signal.SIGTERM, signal.SIGHUP):
        with Resident(machine) as server:
            server.process.send_signal(number)
            assert server.process.wait(20) == 0
            assert list(server.file.parent.iterdir()) == []
    with Resident(machine) as server:
        server.process.send_signal(signal.SIGINT)
        assert server.process.wait(20) == 0
        assert server.process.stderr is not None
        assert server.process.stderr.read() == b""
    assert machine.faults() == ""


def test_a_client_that_no_longer_listens(machine: Machine) -> None:
    with Resident(machine) as server:
        assert server.process.stdout is not None
        server.process.stdout.close()
        server.send({"jsonrpc": "2.0", "id": 1, "method": "ping"})
        assert server.process.wait(20) == 0
    assert machine.faults() == ""


def test_files_of_servers_that_are_gone_are_cleared(machine: Machine) -> None:
    with Resident(machine) as first:
        first.kill()
        assert first.file.exists()
    folder = first.file.parent
    first.file.rename(folder / "77777777")
    for name, content in (("1", "nonsense"), ("2", ""), ("3", "9" * 25), ("4", f"{os.getpid()}\n")):
        (folder / name).write_text(content)
    with Resident(machine) as second:
        assert {path.name for path in folder.iterdir()} == {"4", second.file.name}
    assert {path.name for path in folder.iterdir()} == {"4"}


def test_one_that_was_replaced_leaves_the_file_of_the_new_one(machine: Machine) -> None:
    with Resident(machine) as first, Resident(machine) as second:
        assert first.end() == 0
        assert second.file.read_text() == f"{second.process.pid}\n"


def test_a_home_that_cannot_be_written_is_served_all_the_same(machine: Machine) -> None:
    (machine.home / "warm").write_text("")
    with Resident(machine) as server:
        assert "force does not allow" in server.call(machine.bash("git push --force"))
