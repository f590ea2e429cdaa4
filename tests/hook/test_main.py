"""Whose payload it is: the agent named on the command line, else the default one."""

import json
import sys
from pathlib import Path

import pytest

from lessons.agents.hook_command import entry_file
from lessons.agents.table import AGENTS
from lessons.hook.main import answer_to
from tests.hook.installed import Answer, Machine, block, run


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    machine = Machine(tmp_path)
    machine.publish(block("force", "git push --force"))
    return machine


def ask(machine: Machine, name: str, *options: str) -> Answer:
    line = [sys.executable, "-I", "-S", entry_file(), name, *options]
    payload = json.dumps(machine.bash("git push --force")).encode()
    return run(line, payload, machine.work, machine.environment(LESSONS_HOME=str(machine.home)))


def test_the_agent_may_be_named(machine: Machine) -> None:
    plain = ask(machine, "PreToolUse")
    assert plain.decision == "deny"
    assert ask(machine, "PreToolUse", "--agent", "claude-code").out == plain.out


@pytest.mark.parametrize("agent", ["nobody", "../claude_code", "claude_code"])
def test_an_unknown_agent_is_logged_and_the_call_runs(machine: Machine, agent: str) -> None:
    answer = ask(machine, "PreToolUse", "--agent", agent)
    assert (answer.code, answer.out, answer.error) == (0, b"", b"")
    assert "KeyError" in machine.faults()


def test_an_unknown_event_leaves_no_trace(machine: Machine) -> None:
    answer = ask(machine, "Notification")
    assert (answer.code, answer.out, answer.error) == (0, b"", b"")
    assert machine.faults() == ""
    assert not (machine.home / "fired" / "Notification").exists()


@pytest.mark.parametrize("name", AGENTS["claude-code"].events)
def test_every_event_has_a_handler(machine: Machine, name: str) -> None:
    said = answer_to(name, {}, str(machine.home), [])
    assert bool(said) is (name == "PreCompact")
