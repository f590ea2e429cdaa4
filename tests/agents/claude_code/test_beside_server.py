"""The command beside the resident server: silent while that runs, answers if it does not, never both."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from lessons.agents.hook_lines import line_of
from tests.hook.installed import Answer, Machine, block, lesson, run, stop
from tests.hook.resident import Resident


class Beside:
    """The command in the form in which the client runs it: its parent is that of the server."""

    def __init__(self, machine: Machine) -> None:
        self.line = ["/bin/sh", "-c", line_of("PreToolUse", str(machine.home), is_beside=True)]
        self.machine = machine

    def __call__(self, payload: dict[str, object]) -> Answer:
        answer = run(self.line, json.dumps(payload).encode(), self.machine.work, self.machine.environment())
        assert (answer.code, answer.error) == (0, b"")
        return answer


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    machine = Machine(tmp_path)
    machine.publish(lesson("stash", "git stash"), block("force", "git push --force"), stop("reset", "git reset"))
    return machine


@pytest.fixture
def beside(machine: Machine) -> Beside:
    return Beside(machine)


def test_while_the_server_is_there_nothing_is_said(machine: Machine, beside: Beside) -> None:
    with Resident(machine):
        for command in ("git stash", "git push --force", "git reset"):
            assert beside(machine.bash(command)).out == b""
    assert machine.injections() == []
    assert not (machine.home / "fired" / "PreToolUse").exists()


def test_without_a_server_it_answers_as_the_plain_command_does(machine: Machine, beside: Beside) -> None:
    answers = [
        beside(machine.bash(command, "one", tool_use_id=command)) for command in ("git stash", "ls", "git reset")
    ]
    assert [answer.decision for answer in answers] == ["hint", "", "deny"]
    plain = [machine.run("PreToolUse", machine.bash(text, "two")) for text in ("git stash", "ls", "git reset")]
    assert [answer.out for answer in plain] == [answer.out for answer in answers]


@pytest.mark.parametrize("end", [Resident.kill, Resident.end])
def test_a_server_that_is_gone_is_replaced(machine: Machine, beside: Beside, end: Callable[[Resident], object]) -> None:
    with Resident(machine) as server:
        end(server)
        assert beside(machine.bash("ls", tool_use_id="1")).out == b""
        assert beside(machine.bash("git stash", tool_use_id="2")).decision == "hint"
        assert beside(machine.bash("git push --force", tool_use_id="3")).decision == "deny"
    assert machine.faults() == ""


def test_where_both_answer_a_block_acts_and_a_hint_comes_once(machine: Machine, beside: Beside) -> None:
    """As when the server cannot write its file, or starts again in the middle of a call."""
    with Resident(machine) as server:
        server.file.unlink()
        force, stash, reset = (
            machine.bash(each, tool_use_id=each) for each in ("git push --force", "git stash", "git reset")
        )
        assert "force does not allow" in server.call(force) and beside(force).decision == "deny"
        assert server.call(stash) and beside(stash).out == b""
        assert "Stopped once" in server.call(reset) and beside(reset).decision == "deny"
    assert machine.faults() == ""
