"""A hook that cannot start, answers nonsense or does not answer: the call runs, whatever happens."""

import json
from pathlib import Path

import pytest

from lessons.agents.hook_lines import from_posix_shell, in_posix_shell
from tests.builders.lessons import blocking
from tests.e2e.codex.world import CodexWorld, shell
from tests.e2e.rig.script import say

FAKES = {
    "nonsense": "echo 'nonsense {'; exit 2",
    "unknown keys": """printf '%s' '{"hookSpecificOutput":{"hookEventName":"PreToolUse","surprise":1}}'""",
    "a wrong exit code": "echo it is broken >&2; exit 2",
    "nothing within the time": "sleep 20",
}


def _replace_interpreter(world: CodexWorld, python: str) -> None:
    """In the command before a call alone: a session that starts would wait too."""
    document = json.loads(world.hooks.read_text("utf-8"))
    [handler] = document["hooks"]["PreToolUse"][0]["hooks"]
    line = from_posix_shell(handler["command"])
    head, _, rest = line.partition("python='")
    handler["command"] = in_posix_shell(f"{head}python='{python}{rest[rest.index(chr(39)) :]}")
    world.hooks.write_text(json.dumps(document), encoding="utf-8")
    world.trust()


def _assert_it_runs(world: CodexWorld) -> None:
    talk = world.talk("Begin.", [shell("git push --force; touch it-ran", "call_beside_a_broken_hook1"), say("Done.")])
    assert (world.project / "it-ran").exists()
    assert "Process exited with code" in talk.results()["call_beside_a_broken_hook1"]


def test_a_missing_interpreter(installed: CodexWorld) -> None:
    installed.add(blocking())
    _replace_interpreter(installed, "/no/such/python")
    _assert_it_runs(installed)


@pytest.mark.parametrize("fake", FAKES)
def test_an_interpreter_that_gives(installed: CodexWorld, tmp_path: Path, fake: str) -> None:
    python = tmp_path / "python"
    python.write_text(f"#!/bin/sh\n{FAKES[fake]}\n")
    python.chmod(0o755)
    installed.add(blocking())
    _replace_interpreter(installed, str(python))
    _assert_it_runs(installed)


def test_a_hook_that_nobody_trusted_is_skipped_and_doctor_says_so(world: CodexWorld) -> None:
    world.add(blocking())
    world.install()
    said = world.lessons("doctor", "--agent", "codex", code=1)
    assert "you have not trusted it" in said and "/hooks" in said
    _assert_it_runs(world)
    world.trust()
    assert "trust" not in world.lessons("doctor", "--agent", "codex")
    before = world.hooks.read_text("utf-8")
    world.install()
    assert world.hooks.read_text("utf-8") == before, "a second install keeps what the person has trusted"
