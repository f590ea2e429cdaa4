"""The hook's files disappear or break during a session: the agent continues, and the user is informed once."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from lessons.agents.claude_code import install
from lessons.agents.hook_command import usable_interpreter
from tests.builders.lessons import blocking, in_own_words, lesson
from tests.builders.package import PackageCopy
from tests.e2e.rig.breaks import HINT, BrokenHook
from tests.e2e.rig.script import bash, say, together
from tests.e2e.rig.seen import seen
from tests.e2e.rig.world import World


def own_environment(folder: Path) -> str:
    """A virtual environment of this test's own; its interpreter."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
    return str(folder / "bin" / "python")


def an_exit_2(python: str) -> None:
    os.unlink(python)
    Path(python).write_text("#!/bin/sh\necho no such thing >&2\nexit 2\n")
    os.chmod(python, 0o755)


Accident = Callable[[str, PackageCopy], object]
ACCIDENTS: dict[str, Accident] = {
    "the virtual environment is deleted": lambda python, copy: shutil.rmtree(Path(python).parent.parent),
    "the package is deleted": lambda python, copy: shutil.rmtree(copy.root),
    "the interpreter becomes a script that exits 2": lambda python, copy: an_exit_2(python),
}


@pytest.mark.parametrize("name", ACCIDENTS)
def test_in_the_middle_of_a_session(name: str, world: World, tmp_path: Path) -> None:
    copy = PackageCopy(tmp_path / "package")
    copy.refresh()
    python = own_environment(tmp_path / "environment")
    real = usable_interpreter(sys.executable)
    install.INSTALLER.install(str(world.settings), str(world.data), entry=copy.entry)
    # The script names the real interpreter: here one that lives in the environment, as some installers lay it out.
    script = world.data / "lessons-hook"
    script.write_text(script.read_text("utf-8").replace(real, python), "utf-8")
    world.add(lesson())
    world.add(in_own_words(blocking()))

    talk = world.run(
        "Begin.",
        [
            bash("git stash; true", "hint"),
            bash("git push --force; true", "unguarded").after(lambda: ACCIDENTS[name](python, copy)),
            together(bash("git push --force; true", "one"), bash("git push --force; true", "two")),
            bash("false", "failing"),
            say("Done."),
        ],
    )

    results = talk.results()
    assert {identifier for identifier, result in results.items() if result.is_error} == {"failing"}
    assert talk.said()[-1].count(HINT) == 1
    assert [message.partition(",")[0] for message in talk.told()] == ["The lessons hook cannot start"]
    assert "cannot start" not in talk.everything()
    seen("claude-code", "PreToolUse", "a broken hook blocks nothing", True)


class TestBroken(BrokenHook):
    pass
