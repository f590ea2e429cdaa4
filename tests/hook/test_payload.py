"""Oversized payloads, and a stdin that never ends: the call runs at once, and the user is informed."""

import json
import os
import resource
import subprocess
import sys
import time
from pathlib import Path

import pytest

from lessons.agents.hook_event import LARGEST_PAYLOAD
from lessons.hook import main
from tests.hook.installed import EVENTS, SECONDS, Answer, Machine, block, lesson
from tests.tables import table

# The client gives up after 5 seconds.
CLIENT_SECONDS = 5
NOT_EXAMINED = "larger than 4 MB and was not examined"


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    machine = Machine(tmp_path)
    machine.publish(block("force", "git push --force"), lesson("start", triggers={"sessionStart": True}))
    return machine


def call_of(machine: Machine, length: int, command: str = "git push --force") -> bytes:
    """A blocked call that is as long as that, in bytes of JSON."""
    empty = len(json.dumps(machine.bash(command, padding="")).encode())
    data = json.dumps(machine.bash(command, padding="x" * (length - empty))).encode()
    assert len(data) == length
    return data


def cpu_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def test_the_limit_is_what_is_documented() -> None:
    assert LARGEST_PAYLOAD == 4 << 20
    text = (Path(__file__).parents[2] / "docs" / "PERFORMANCE.md").read_text("utf-8")
    assert "larger than 4 MB" in text


@table("more", [1, 4096, 10 << 20, 96 << 20])
def test_a_larger_call_is_not_examined(more: int, machine: Machine) -> None:
    before = machine.faults().count(NOT_EXAMINED)
    answer = machine.run("PreToolUse", call_of(machine, LARGEST_PAYLOAD + more))
    assert (answer.code, answer.out, answer.error) == (0, b"", b"")
    assert machine.faults().count(NOT_EXAMINED) == before + 1
    assert "git push" not in machine.faults()


@table("less", [0, 1, 1 << 20])
def test_up_to_the_limit_it_is(less: int, machine: Machine) -> None:
    assert machine.run("PreToolUse", call_of(machine, LARGEST_PAYLOAD - less)).decision == "deny"
    assert machine.faults() == ""


def test_doctor_tells_how_many(machine: Machine) -> None:
    for _ in range(2):
        machine.run("PreToolUse", call_of(machine, 5 << 20))
    checks = json.loads(machine.lessons("doctor", "--json").out)["checks"]
    [check] = [each for each in checks if each["name"] == "large payloads"]
    assert not check["ok"]
    assert check["detail"].startswith("2 payloads were larger than 4 MB, so they were not examined; the last at 20")
    assert check["fix"]
    assert [each["ok"] for each in checks if each["name"] == "faults"] == [True]


STREAMS = {"nothing": b"", "a half": b'{"session_id": "s", "tool_na', "no JSON": b"x"}


@pytest.mark.parametrize("name", STREAMS)
def test_a_stdin_that_never_ends(name: str, machine: Machine) -> None:
    """Of every event at the same time: each waits for as long as it may."""
    began = time.monotonic()
    processes = [machine.start(event) for event in EVENTS]
    for process in processes:
        assert process.stdin is not None
        process.stdin.write(STREAMS[name])
        process.stdin.flush()
    for event, process in zip(EVENTS, processes, strict=True):
        assert process.wait(SECONDS) == 0, event
        assert process.stdout is not None and process.stdout.read() == b"", event
    assert time.monotonic() - began >= main.SECONDS
    assert main.SECONDS < CLIENT_SECONDS - 1
    assert machine.faults().count("stdin did not end within 3 s") == len(EVENTS)


def test_what_came_until_then_is_answered_if_it_is_whole(machine: Machine) -> None:
    process = machine.start("PreToolUse")
    assert process.stdin is not None and process.stdout is not None
    process.stdin.write(json.dumps(machine.bash("git push --force")).encode())
    process.stdin.flush()
    assert process.wait(SECONDS) == 0
    assert Answer(0, process.stdout.read(), b"").decision == "deny"
    assert "stdin did not end" in machine.faults()


def test_a_stream_without_an_end(machine: Machine) -> None:
    with open("/dev/zero", "rb") as endless:
        line = ["/bin/sh", "-c", machine.commands["PreToolUse"]]
        done = subprocess.run(
            line, stdin=endless, capture_output=True, cwd=machine.work, env=machine.environment(), timeout=SECONDS
        )
    assert (done.returncode, done.stdout) == (0, b"")
    assert NOT_EXAMINED in machine.faults()


@pytest.mark.parametrize("way", ["ignored", "held back"])
def test_a_signal_that_is_ignored_or_held_back_changes_nothing(way: str, machine: Machine) -> None:
    """As a parent may hand them down."""
    ignoring = "trap '' ALRM; " if way == "ignored" else ""
    line = ["/bin/sh", "-c", ignoring + machine.commands["PreToolUse"]]
    held = "import os, signal, sys; signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGALRM]);"
    if way == "held back":
        line = [sys.executable, "-c", f"{held} os.execv(sys.argv[1], sys.argv[1:])", *line]
    reading, writing = os.pipe()
    try:
        process = subprocess.Popen(line, stdin=reading, cwd=machine.work, env=machine.environment())
        assert process.wait(SECONDS) == 0
    finally:
        os.close(reading)
        os.close(writing)
    assert "stdin did not end" in machine.faults()
