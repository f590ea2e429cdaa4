"""`lessons` in the process of a test does what a newly started one does, and leaves nothing behind."""

import json
import os
import signal
import subprocess
import sys

import pytest

from tests.builders.lessons import lesson
from tests.cli import in_process
from tests.cli.command_line import LESSONS, SECONDS, CommandLine

CALLS: list[tuple[list[str], bytes | None, dict[str, str]]] = [
    (["nonsense"], None, {}),
    (["doctor", "--json"], None, {}),
    (["config"], None, {"LESSONS_INJECTION_BUDGET_BYTES": "1234"}),
    (["add", "--from", "-", "--check"], json.dumps(lesson()).encode(), {}),
    (["show", "\u2192"], None, {"PYTHONIOENCODING": "ascii"}),
]


@pytest.mark.parametrize(("arguments", "given", "variables"), CALLS, ids=[" ".join(call[0]) for call in CALLS])
def test_it_is_like_a_new_process(
    arguments: list[str], given: bytes | None, variables: dict[str, str], lessons: CommandLine
) -> None:
    environment = lessons.environment(**variables)
    new = subprocess.Popen(
        [LESSONS, *arguments],
        stdin=subprocess.DEVNULL if given is None else subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=lessons.work,
        env=environment,
    )
    out, error = new.communicate(given, SECONDS)
    assert in_process.run(arguments, given, lessons.work, environment) == in_process.Done(new.returncode, out, error)


def test_nothing_of_a_call_reaches_the_next_one(lessons: CommandLine) -> None:
    before = dict(os.environ), os.getcwd(), sys.argv, sys.stdout, signal.getsignal(signal.SIGINT), os.nice(0)
    first = lessons.json("config", LESSONS_INJECTION_BUDGET_BYTES="1234")
    assert first != lessons.json("config")
    lessons("scan", "--auto")
    assert before == (dict(os.environ), os.getcwd(), sys.argv, sys.stdout, signal.getsignal(signal.SIGINT), os.nice(0))
