"""Whatever is broken in our hook, no call of the real Gemini CLI is kept from running."""

import sys
from collections.abc import Callable

import pytest

from lessons.agents.interpreter import resolve_interpreter
from tests.builders.lessons import lesson
from tests.e2e.rig.gemini_world import GeminiWorld
from tests.e2e.rig.script import say
from tests.e2e.rig.seen import seen


def _python(world: GeminiWorld, body: str | None) -> None:
    """In the place of the interpreter stands a program that does this, or nothing at all."""
    program = world.home / "python"
    if body is not None:
        program.write_text(f"#!/bin/sh\n{body}\n")
        program.chmod(0o755)
    real = resolve_interpreter(sys.executable)
    assert real in world.hook_file.read_text()
    world.hook_file.write_text(world.hook_file.read_text().replace(real, str(program)))


BREAKS: dict[str, Callable[[GeminiWorld], object]] = {
    "interpreter missing": lambda world: _python(world, None),
    "exit 2": lambda world: _python(world, "echo why >&2; exit 2"),
    "killed": lambda world: _python(world, "kill -9 $$"),
    "garbage": lambda world: _python(world, "head -c 3000 /dev/urandom"),
    "half an answer": lambda world: _python(world, "printf '{\"decision\":'"),
    "hangs": lambda world: _python(world, "exec sleep 60"),
    "data home cannot be written": lambda world: world.hook_file.write_text(
        world.hook_file.read_text().replace(str(world.data), "/dev/null/none")
    ),
    "manifest damaged": lambda world: (world.data / "lesson-manifest.json").write_text("{"),
}


@pytest.mark.parametrize("name", BREAKS)
def test_no_broken_hook_keeps_a_call_from_running(installed: GeminiWorld, name: str) -> None:
    installed.add(lesson())
    BREAKS[name](installed)
    turns = [installed.shell("echo ran-1", "a"), installed.shell("git stash; echo ran-2; exit 3", "b"), say("Done.")]
    talk = installed.run("Begin.", turns)
    assert "ran-1" in talk.results()["a"].text and "ran-2" in talk.results()["b"].text
    seen("gemini-cli", "BeforeTool", "a broken hook blocks nothing", True)
