"""Whatever is broken in our hook, no call of the real Qwen Code is kept from running."""

import pytest

from tests.builders.lessons import lesson
from tests.e2e.rig.breaks import BREAKS
from tests.e2e.rig.chat_world import QwenWorld
from tests.e2e.rig.script import say
from tests.e2e.rig.seen import seen


@pytest.mark.parametrize("name", BREAKS)
def test_no_broken_hook_keeps_a_call_from_running(installed: QwenWorld, name: str) -> None:
    installed.add(lesson())
    BREAKS[name](installed)
    turns = [installed.shell("echo ran-1", "a"), installed.shell("git stash; echo ran-2; exit 3", "b"), say("Done.")]
    talk = installed.run("Begin.", turns)
    assert "ran-1" in talk.results()["a"].text and "ran-2" in talk.results()["b"].text
    seen("qwen-code", "PreToolUse", "a broken hook blocks nothing", True)
