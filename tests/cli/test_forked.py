"""A forked command line does what a newly started one does."""

import json
import subprocess

import pytest

from tests.builders.lessons import lesson
from tests.cli import forked
from tests.cli.command_line import LESSONS, SECONDS, CommandLine

CALLS: list[tuple[list[str], bytes | None, dict[str, str]]] = [
    (["--version"], None, {}),
    (["nonsense"], None, {}),
    (["doctor", "--json"], None, {}),
    (["config"], None, {"LESSONS_INJECTION_BUDGET_BYTES": "1234"}),
    (["config"], None, {"LESSONS_INJECTION_BUDGET_BYTES": "much"}),
    (["add", "--from", "-", "--json"], b"{", {}),
    (["add", "--from", "-", "--check"], json.dumps(lesson()).encode(), {}),
    (["show", "\u2192"], None, {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}),
]


@pytest.mark.parametrize(("arguments", "given", "variables"), CALLS, ids=[" ".join(call[0]) for call in CALLS])
def test_it_is_like_a_new_process(
    arguments: list[str], given: bytes | None, variables: dict[str, str], lessons: CommandLine
) -> None:
    environment = lessons.environment(**variables)
    command = [LESSONS, *arguments]
    new = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL if given is None else subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=lessons.work,
        env=environment,
    )
    out, error = new.communicate(given, SECONDS)
    done = forked.run(command, given, lessons.work, environment, SECONDS)
    assert done == forked.Done(new.returncode, out, error)


def test_what_takes_too_long_is_ended_and_the_next_call_is_answered(lessons: CommandLine) -> None:
    with pytest.raises(subprocess.TimeoutExpired):
        forked.run([LESSONS, "demo"], None, lessons.work, lessons.environment(), 0.001)
    assert lessons("--version").code == 0


def test_nothing_of_a_call_reaches_the_next_one(lessons: CommandLine) -> None:
    first = lessons.json("config", LESSONS_INJECTION_BUDGET_BYTES="1234")
    assert first != lessons.json("config")
