"""A pattern that would run forever, in an unchecked manifest and index: the hook still answers."""

import statistics
from pathlib import Path

import pytest

from lessons.model import Lesson
from tests.hook.installed import Machine, block, lesson, stop
from tests.sizes import size

RUNS = size("HOSTILE_RUNS", 3)
# Beside other tests on a busy machine everything is slower: the promised 250 ms are shown when run alone.
MOST_MILLISECONDS = size("HOSTILE_MILLISECONDS", 10_000)

HOSTILE = r"^(a+)+$"
CALL = "a" * 40 + "!"
KINDS = {"hint": lesson, "stop": stop, "block": block}


def hostile_lesson(kind: str = "hint", **fields: object) -> Lesson:
    return KINDS[kind]("hostile", HOSTILE, priority=10, **fields)


@pytest.fixture(params=["with the index", "manifest only"])
def machine(request: pytest.FixtureRequest, tmp_path: Path) -> Machine:
    machine = Machine(tmp_path)
    machine.with_index = request.param == "with the index"
    return machine


def milliseconds(machine: Machine, event: str, payloads: list[dict[str, object]]) -> list[float]:
    return [machine.run(event, payload).seconds * 1000 for payload in payloads]


@pytest.mark.parametrize("kind", KINDS)
def test_the_answer_comes_in_time(kind: str, machine: Machine) -> None:
    machine.publish(hostile_lesson(kind), lesson("other", "aaaa!"))
    quiet = [machine.bash("aaab!", f"usual-{number}") for number in range(RUNS)]
    hostile = [machine.bash(CALL, f"hostile-{number}") for number in range(RUNS)]
    usual = milliseconds(machine, "PreToolUse", quiet)
    slow = milliseconds(machine, "PreToolUse", hostile)
    beyond = statistics.median(slow) - statistics.median(usual)
    way = "index" if machine.with_index else "manifest only"
    print(
        f"\nhostile {kind}, {way}: usual {statistics.median(usual):.0f} ms,"
        f" hostile {statistics.median(slow):.0f} ms (worst {max(slow):.0f}), {beyond:.0f} ms beyond; {RUNS} runs"
    )
    assert beyond < MOST_MILLISECONDS
    assert machine.faults().count("lesson hostile: its pattern is too slow") == RUNS


def test_a_long_line_does_not_put_the_deadline_off(machine: Machine) -> None:
    """Each step of this search takes as long as the text is, and only between steps can it be ended."""
    machine.publish(lesson("hostile", triggers={"contentPatterns": [r"\w+;"]}))
    times = []
    for letter in (" ", "a"):
        given = {"file_path": "a", "content": letter * (1 << 18) + "\n;"}
        times.append(machine.run("PreToolUse", machine.bash("", tool_name="Write", tool_input=given)).seconds * 1000)
    usual, slow = times
    print(
        f"\nhostile: a word and a semicolon sought in 256 KB of one letter: {slow - usual:.0f} ms beyond {usual:.0f} ms"
    )
    assert slow - usual < 2 * MOST_MILLISECONDS
