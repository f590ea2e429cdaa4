"""Whatever is broken in our plugin or behind it, no call of the real opencode is kept from running."""

import json
from collections.abc import Callable

import pytest

from tests.builders.lessons import lesson
from tests.e2e.rig.opencode_world import OpencodeWorld
from tests.e2e.rig.script import say
from tests.e2e.rig.seen import seen


def _named(world: OpencodeWorld, name: str, path: str) -> None:
    """The plugin names another file."""
    lines = world.hook_file.read_text().splitlines(keepends=True)
    [place] = [number for number, line in enumerate(lines) if line.startswith("const HOOK = ")]
    hook = json.loads(lines[place].removeprefix("const HOOK = "))
    lines[place] = f"const HOOK = {json.dumps({**hook, name: path})}\n"
    world.hook_file.write_text("".join(lines))


def _python(world: OpencodeWorld, body: str) -> None:
    program = world.home / "python"
    program.write_text(f"#!/bin/sh\n{body}\n")
    program.chmod(0o755)
    _named(world, "python", str(program))


BREAKS: dict[str, Callable[[OpencodeWorld], object]] = {
    "interpreter missing": lambda world: _named(world, "python", str(world.home / "none")),
    "package missing": lambda world: _named(world, "entry", str(world.home / "none")),
    "exit 2": lambda world: _python(world, 'echo \'{"deny": "no"}\'; exit 2'),
    "killed": lambda world: _python(world, "kill -9 $$"),
    "garbage": lambda world: _python(world, "head -c 3000 /dev/urandom"),
    "half an answer": lambda world: _python(world, "printf '{\"deny\":'"),
    "another answer": lambda world: _python(world, "printf 'null'"),
    "hangs": lambda world: _python(world, "exec sleep 60"),
    "data home cannot be written": lambda world: _named(world, "home", "/dev/null/none"),
    "manifest damaged": lambda world: (world.data / "lesson-manifest.json").write_text("{"),
}


@pytest.mark.parametrize("name", BREAKS)
def test_no_broken_hook_keeps_a_call_from_running(installed: OpencodeWorld, name: str) -> None:
    installed.add(lesson())
    BREAKS[name](installed)
    turns = [installed.shell("echo ran-1", "a"), installed.shell("git stash; echo ran-2; exit 3", "b"), say("Done.")]
    talk = installed.run("Begin.", turns)
    assert "ran-1" in talk.results()["a"].text and "ran-2" in talk.results()["b"].text
    seen("opencode", "tool.execute.before", "a broken hook blocks nothing", True)
