"""The hooks at a pause of a session: what they start and what not, and that no fault reaches the client."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from lessons.agents.hook_command import entry_file
from lessons.continuity.restore import SUMMARISER_WORDS
from lessons.store.state_paths import state_paths_of
from tests.hook.installed import Answer, Machine, run
from tests.hook.mutations import MEGABYTE

PAUSES = ("PreCompact", "Stop", "SessionEnd", "PostToolUse")
# Runs one event in a process of its own and tells how often that has started another.
_PROGRAM = """
import json, os, sys
from lessons.hook.main import answer_to
event, payload, home, python = sys.argv[1:]
answer_to(event, json.loads(payload), home, ["--python", python, "--client", "77"])
try:
    while True:
        os.waitpid(-1, 0)
except ChildProcessError:
    pass
"""


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    machine = Machine(tmp_path)
    machine.keep_from_scanning()
    return machine


def transcript(machine: Machine) -> Path:
    file = machine.work / "session.jsonl"
    file.write_text('{"type": "user", "message": {"role": "user", "content": "Begin."}}\n')
    return file


def payload(machine: Machine, event: str, file: object = "", **fields: object) -> dict[str, object]:
    common = machine.bash("git commit -m x", hook_event_name=event, source="startup", reason="clear", trigger="auto")
    return {**common, "transcript_path": str(file), **fields}


def started(machine: Machine, event: str, sent: dict[str, object]) -> list[list[str]]:
    """The arguments of all that the event has started as the product's own Python."""
    note = machine.root / "started"
    note.unlink(missing_ok=True)
    python = machine.root / "python"
    python.write_text(f"#!/bin/sh\nprintf '%s\\037' \"$@\" >> '{note}'; printf '\\036' >> '{note}'\n")
    python.chmod(0o755)
    arguments = [event, json.dumps(sent), str(machine.home), str(python)]
    environment = machine.environment(LESSONS_HOME=str(machine.home))
    subprocess.run([sys.executable, "-c", _PROGRAM, *arguments], check=True, env=environment, timeout=60)
    text = note.read_text() if note.exists() else ""
    return [each.split("\037")[:-1] for each in text.split("\036")[:-1]]


def begun(machine: Machine, **fields: object) -> list[list[str]]:
    return started(machine, "SessionStart", payload(machine, "SessionStart", **fields))


def unreadable(machine: Machine) -> list[object]:
    empty = machine.work / "empty.jsonl"
    empty.touch()
    return ["", "/nowhere/at/all.jsonl", machine.work, "/dev/null", "nul\0byte", empty]


@pytest.mark.parametrize("event", PAUSES)
def test_without_a_transcript_nothing_is_kept(event: str, machine: Machine) -> None:
    for file in unreadable(machine) if event != "SessionEnd" else []:
        assert started(machine, event, payload(machine, event, file)) == [], file
    assert started(machine, event, payload(machine, event, transcript(machine), session_id="")) == []
    assert started(machine, event, payload(machine, event, transcript(machine), session_id=7)) == []


@pytest.mark.parametrize("command", ["", "make all", "git status", "echo commit", None, ["git", "commit"]])
def test_a_command_that_commits_nothing_starts_nothing(command: object, machine: Machine) -> None:
    sent = payload(machine, "PostToolUse", transcript(machine), tool_input={"command": command})
    assert started(machine, "PostToolUse", sent) == []
    assert started(machine, "PostToolUse", {**sent, "tool_input": command}) == []


def test_the_end_is_noted_also_where_nothing_was_said(machine: Machine) -> None:
    for file in unreadable(machine):
        [arguments] = started(machine, "SessionEnd", payload(machine, "SessionEnd", file))
        assert arguments[:4] == [*WORKER, "end"]
        assert arguments[4:-1] == [AGENT, "session=session", f"root={machine.work}", "reason=clear"]
        assert just_now(arguments[-1])
    assert started(machine, "SessionEnd", payload(machine, "SessionEnd", cwd="/nowhere/at/all")) == []


def test_nothing_is_kept_before_a_subagent_is_compacted(machine: Machine) -> None:
    sent = payload(machine, "PreCompact", transcript(machine), agent_id="a1")
    assert started(machine, "PreCompact", sent) == []
    assert machine.run("PreCompact", sent).out == SUMMARISER_WORDS.encode()


AGENT = "agent=claude-code"
WORKER = ["-I", "-m", "lessons.continuity"]
STARTED = {
    "PreCompact": ["save", "by=pre-compact"],
    "Stop": ["save", "by=stop"],
    "SessionEnd": ["end", "reason=clear"],
    "PostToolUse": ["save", "by=stop", "committed=yes"],
}


def just_now(word: str) -> bool:
    """Told in milliseconds by the hook itself."""
    return 0 <= 1000 * time.time() - int(word.removeprefix("at=")) < 60_000


@pytest.mark.parametrize("event", PAUSES)
def test_what_is_started(event: str, machine: Machine) -> None:
    file = transcript(machine)
    [arguments] = started(machine, event, payload(machine, event, file, session_id="--help"))
    assert arguments[:4] == [*WORKER, STARTED[event][0]]
    places = {AGENT, "session=--help", f"transcript={file}", f"root={machine.work}"}
    given = {word for word in arguments[4:] if not word.startswith("at=")}
    assert given == {*STARTED[event][1:], *places}


def test_a_session_belongs_to_the_project_in_which_it_began(machine: Machine) -> None:
    """Wherever the agent goes meanwhile; also after it was resumed there."""
    elsewhere = machine.root / "elsewhere"
    (elsewhere / ".git").mkdir(parents=True)
    begun(machine)
    begun(machine, source="resume", cwd=str(elsewhere))
    for event in PAUSES:
        [arguments] = started(machine, event, payload(machine, event, transcript(machine), cwd=str(elsewhere)))
        assert f"root={machine.work}" in arguments
    [arguments] = begun(machine, source="clear", session_id="next", cwd=str(elsewhere))
    assert f"root={elsewhere}" in arguments
    unseen = payload(machine, "Stop", transcript(machine), session_id="unseen", cwd=str(elsewhere))
    assert f"root={elsewhere}" in started(machine, "Stop", unseen)[0]


def test_a_session_that_starts_is_noted(machine: Machine) -> None:
    assert begun(machine, cwd="/nowhere/at/all") == []
    assert begun(machine, cwd="") == []
    assert begun(machine, source="compact") == []
    for source in ("startup", "resume", "fork", "clear"):
        [arguments] = begun(machine, source=source)
        places = [AGENT, "session=session", f"root={machine.work}", "process=77"]
        assert arguments[:-1] == [*WORKER, "begin", *places]
        assert just_now(arguments[-1])


def assert_unheard(event: str, answer: Answer) -> None:
    assert (answer.code, answer.error) == (0, b"")
    assert answer.out == (SUMMARISER_WORDS.encode() if event == "PreCompact" else b"")


@pytest.mark.parametrize("event", PAUSES)
def test_no_fault_of_the_files_is_heard_of(event: str, machine: Machine) -> None:
    """Files that nobody writes to, a home that cannot be written (also by root), and none at all."""
    sent = payload(machine, event, transcript(machine))
    folder = Path(state_paths_of(str(machine.home), str(machine.work)).session("session"))
    folder.mkdir(parents=True)
    for name in ("context-tracking-state.json", "handoff.json"):
        os.mkfifo(folder / name)
    assert_unheard(event, machine.run(event, sent))
    for home in ("/proc/1", "/dev/null"):
        assert_unheard(event, machine.run(event, sent, LESSONS_HOME=home))
    machine.home.rename(machine.root / "elsewhere")  # with the script that the line sources
    answer = machine.run(event, sent)
    assert (answer.code, answer.out, answer.error) == (0, b"", b"")


@pytest.mark.parametrize("event", PAUSES)
@pytest.mark.parametrize("python", ["/nowhere/python", "/bin/false", "/dev/null", "/"])
def test_the_python_of_the_background_is_gone(python: str, event: str, machine: Machine) -> None:
    line = [sys.executable, "-I", "-S", entry_file(), event, "--python", python]
    sent = json.dumps(payload(machine, event, transcript(machine))).encode()
    assert_unheard(event, run(line, sent, machine.work, machine.environment(LESSONS_HOME=str(machine.home))))


@pytest.mark.parametrize("event", PAUSES)
@pytest.mark.parametrize("field", ["session_id", "transcript_path", "cwd", "reason"])
def test_names_that_no_process_can_be_given(field: str, event: str, machine: Machine) -> None:
    for odd in ("nul\0byte", "\ud800", "x" * MEGABYTE, "é" * 5000, {"a": 1}, None):
        sent = {**payload(machine, event, transcript(machine)), field: odd}
        assert_unheard(event, machine.run(event, sent))
