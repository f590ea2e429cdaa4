"""Copilot CLI denies a call when a hook ends with anything but 0: whatever is broken, ours never does."""

import pytest

from tests.builders.lessons import lesson
from tests.e2e.rig.breaks import BREAKS
from tests.e2e.rig.chat_world import CopilotWorld
from tests.e2e.rig.script import say
from tests.e2e.rig.seen import seen


@pytest.mark.parametrize("name", BREAKS)
def test_no_broken_hook_keeps_a_call_from_running(installed: CopilotWorld, name: str) -> None:
    installed.add(lesson())
    BREAKS[name](installed)
    turns = [installed.shell("echo ran-1", "a"), installed.shell("git stash; echo ran-2; exit 3", "b"), say("Done.")]
    talk = installed.run("Begin.", turns)
    assert "ran-1" in talk.results()["a"].text and "ran-2" in talk.results()["b"].text
    seen("copilot-cli", "PreToolUse", "a broken hook blocks nothing", True)


def test_the_client_denies_on_any_exit_code_of_others(installed: CopilotWorld) -> None:
    """The trap that all of this is about is still there."""
    text = installed.hook_file.read_text()
    installed.hook_file.write_text(text.replace("exit 0", "exit 1"))
    talk = installed.run("Begin.", [installed.shell("touch it-ran", "a"), say("Done.")])
    assert not (installed.project / "it-ran").exists() and "enied" in talk.results()["a"].text
