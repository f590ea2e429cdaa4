"""The ways in which an installed hook may break while a session runs, and the tests that every client passes.

The hook names its interpreter, package and data home by links, so that one session can have one break after another: a
client reads its settings at start, but follows these links at each call.
"""

import os
import re
import sys
from collections.abc import Callable
from pathlib import Path

import lessons
from lessons.agents.hook_command import usable_interpreter
from tests.builders.lessons import lesson
from tests.e2e.rig.script import Turn, say
from tests.e2e.rig.seen import seen
from tests.e2e.rig.world import World

HINT = "Stash with -u, so that the untracked files go along."
# What stands in the place of the interpreter.
FAKES = {
    "exit-1": "exit 1",
    "exit-2": "echo why >&2; exit 2",
    "killed": "kill -9 $$",
    "garbage": "head -c 3000 /dev/urandom",
    "half-an-answer": 'printf \'{"permissionDecision":"deny",\'',
    "another-answer": "printf null",
    "unknown-keys": """printf '{"hookSpecificOutput":{"hookEventName":"PreToolUse","surprise":1}}'""",
}
HANGS = "exec sleep 60"
_TIMEOUT = re.compile(r'("timeout": ?)(\d+?)(000)?(?=\D)')


class Breakable:
    """An installed hook whose parts can be taken away one by one."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.python, self.home = world.home / "its-python", world.home / "its-data"
        self.package = world.home / "its-package" / "lessons"
        self.package.parent.mkdir()
        real, entry = usable_interpreter(sys.executable), Path(lessons.__path__[0])
        self._link(self.python, Path(real))
        self._link(self.package, entry)
        self._link(self.home, world.data)
        # The script or the plugin names two interpreters, and one may begin with the path of the other.
        script = world.data / "lessons-hook"
        starting = script if script.exists() else world.hook_file
        self._replace(starting, re.escape(f"{entry}/hook"), f"{self.package}/hook")
        self._replace(starting, rf"{re.escape(real)}(?=['\"])", str(self.python))
        self._replace(world.hook_file, re.escape(str(world.data)), str(self.home))
        world.accept_hooks()

    def _replace(self, file: Path, pattern: str, new: str) -> None:
        text, count = re.subn(pattern, lambda found: new, file.read_text("utf-8"))
        assert count
        file.write_text(text, encoding="utf-8")

    def hurry(self) -> None:
        """A person may choose another time limit, here of one second; that of a plugin is in its code."""
        text = self.world.hook_file.read_text("utf-8")
        self.world.hook_file.write_text(_TIMEOUT.sub(r"\g<1>1\3", text), encoding="utf-8")
        self.world.accept_hooks()

    def run_instead(self, body: str) -> None:
        self.python.unlink(missing_ok=True)
        self.python.write_text(f"#!/bin/sh\n{body}\n")
        self.python.chmod(0o755)

    def lose_package(self) -> None:
        self.package.unlink()

    def lose_home(self) -> None:
        """It cannot even be made."""
        self.home.unlink()
        self._link(self.home, Path("/dev/null/none"))

    def damage_manifest(self) -> None:
        (self.world.data / "lesson-manifest.json").write_text("{")

    def _link(self, place: Path, target: Path) -> None:
        os.symlink(target, place)


class BrokenHook:
    """To be derived from in the suite of each client, which has the fixture `installed`."""

    def test_nothing_that_breaks_keeps_a_call_from_running(self, installed: World) -> None:
        installed.add(lesson())
        hook = Breakable(installed)
        turns = [
            _step(installed, "hook-is-sound"),
            _step(installed, "manifest-damaged", hook.damage_manifest),
            _step(installed, "data-home-gone", hook.lose_home),
            _step(installed, "package-gone", hook.lose_package),
            *(_step(installed, name, lambda body=body: hook.run_instead(body)) for name, body in FAKES.items()),  # type: ignore[misc]
            _step(installed, "interpreter-gone", hook.python.unlink),
            say("Done."),
        ]
        _assert_all_ran(installed, turns)
        seen(installed.agent, installed.before_call, "a broken hook blocks nothing", True)

    def test_a_hook_that_hangs_is_left_behind(self, installed: World) -> None:
        installed.add(lesson())
        hook = Breakable(installed)
        hook.hurry()
        turns = [_step(installed, "hangs", lambda: hook.run_instead(HANGS)), say("Done.")]
        _assert_all_ran(installed, turns, is_sound=False)
        seen(installed.agent, installed.before_call, "a hook that hangs blocks nothing", True)


def _step(world: World, name: str, before: Callable[[], object] = lambda: None) -> Turn:
    """A call that has a lesson, and fails: hooks before it, after it and at its failure are all asked."""
    return world.shell(f"git stash; touch ran-{name}; exit 3", f"call_while_{name:_<20}").after(before)


def _assert_all_ran(world: World, turns: list[Turn], is_sound: bool = True) -> None:
    talk = world.run("Begin.", turns)
    expected = [str(turn.blocks[0]["id"]).removeprefix("call_while_").rstrip("_") for turn in turns[:-1]]
    assert [name for name in expected if not (world.project / f"ran-{name}").exists()] == []
    assert not is_sound or talk.said()[-1].count(HINT) == 1, "the hook did not act while it was sound"
