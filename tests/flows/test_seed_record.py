"""The example of the data model, at matching and other calls, with everything the hook may have to read."""

import json
from collections.abc import Callable

import pytest

from tests.builders.home import reason_of
from tests.builders.payloads import bash, read
from tests.cli.command_line import CommandLine
from tests.flows.agent import Agent
from tests.flows.seed_record import PATTERN, REASON, RECORD, SLUG

QUIET = (
    "ls",
    "cat pytest.ini",
    "pip install pytest",
    "pytest --no-header -p no:faulthandler",
    "git commit -m 'run pytest'",
    "rg -n pytest src",
)
DENIED = ("pytest tests/", "cd x && FOO=1 python -m pytest -q")
# Nothing but the keys that the data model names.
MANIFEST = {
    "type": "lessons-learned-manifest",
    "version": 1,
    "generatedAt": "2026-04-01T00:00:00Z",
    "config": {
        "injectionBudgetBytes": 4096,
        "maxLessonsPerInjection": 3,
        "minConfidence": 0.5,
        "minPriority": 1,
        "compactionReinjectionThreshold": 7,
    },
    "lessons": {
        RECORD["id"]: {
            "slug": SLUG,
            "priority": 8,
            "toolNames": ["Bash"],
            "commandRegexSources": [{"source": PATTERN, "flags": ""}],
            "pathRegexSources": [],
            "tags": RECORD["tags"],
            "injection": RECORD["injection"],
            "summary": RECORD["summary"],
            "block": True,
            "blockReason": REASON,
            "sessionStart": False,
        }
    },
}


def with_index(lessons: CommandLine) -> None:
    lessons.json("add", "--from", "-", text=json.dumps(RECORD))
    assert (lessons.home / "hook-index").exists()


def without_index(lessons: CommandLine) -> None:
    with_index(lessons)
    (lessons.home / "hook-index").unlink()


def with_a_manifest_of_another_program(lessons: CommandLine) -> None:
    (lessons.home / "hook-index").unlink()
    (lessons.home / "lesson-manifest.json").write_text(json.dumps(MANIFEST, indent=2))


@pytest.mark.parametrize("prepare", [with_index, without_index, with_a_manifest_of_another_program])
def test_it_denies_what_hangs_and_nothing_else(
    prepare: Callable[[CommandLine], None], lessons: CommandLine, agent: Agent
) -> None:
    prepare(lessons)
    for command in QUIET:
        assert agent.run(bash(command)) == (0, None), command
    assert agent.run(read("/shop/test_pytest.py")) == (0, None)
    for command in (*DENIED, DENIED[0]):
        assert reason_of(agent.run(bash(command))) == REASON.replace("{command}", command)
    assert agent.log() == [("block", SLUG)] * 3
