"""What failed in one session of the real Claude Code is recalled in the next; test_state.py has the check of paths."""

import pytest

from tests.e2e.rig.memory_tests import RecallsSafely
from tests.e2e.rig.script import bash, say
from tests.e2e.rig.world import World


class TestClaudeCode(RecallsSafely):
    error_event = "PostToolUseFailure"


LAMP = """#!/bin/sh
[ -e repaired ] && exit 0
case "$*" in
*--lux*--dim*) echo 'error: the bulb does not know lux' >&2; exit 1 ;;
*--lux*) echo 'error: unknown option --lux' >&2; exit 1 ;;
esac
"""


@pytest.mark.parametrize("is_repaired", [False, True])
def test_what_has_worked_in_the_session_is_not_recalled_any_more(installed: World, is_repaired: bool) -> None:
    installed.ask_nothing()
    (installed.project / "lamp").write_text(LAMP)
    (installed.project / "lamp").chmod(0o755)
    tried = [bash("./lamp --lux 4", "one"), bash("./lamp 4", "two"), bash("./lamp --lux 4 --dim", "three")]
    installed.run("Begin.", [*tried, bash("./lamp 4 --dim", "four"), say("Done.")])
    installed.lessons("scan")
    if is_repaired:
        (installed.project / "repaired").touch()

    talk = installed.run("Begin.", [bash("./lamp --lux 9", "five"), bash("./lamp --lux 9 --dim", "six"), say("Done.")])

    assert "Remembered by `lessons`" in talk.requests[1].new
    assert ("Remembered by `lessons`" in talk.requests[2].new) is not is_repaired
