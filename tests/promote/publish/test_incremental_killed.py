"""A build that is killed at any moment leaves lessons that the hook can use, and the next build makes it good."""

import random
import signal
import subprocess
import sys
import time
from pathlib import Path

from lessons.hook.lookup import matching
from lessons.match.call import ToolCall
from lessons.promote.publish.publish import publish
from tests.builders.builds import assert_as_from_scratch
from tests.promote.publish.test_incremental import made, write
from tests.sizes import size

# Each turn changes one lesson, so that every build has something to make and much to copy.
BUILDER = """
import sys
from lessons.promote import catalog

print("ready", flush=True)
for turn in range(1000):
    catalog.edit(sys.argv[1], "lesson-5", {"priority": 3 + turn % 7})
    print(turn, flush=True)
"""


def fired(home: Path) -> set[str]:
    call = ToolCall("Bash", {"command": "git stash"}, cwd="/project")
    return {each.slug for each, _ in matching(str(home), "PreToolUse", call)[1]}


def test_a_killed_build_leaves_lessons_that_fire(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    write(home, [made(number) for number in range(40)])
    publish(str(home))
    expected = fired(home)
    assert len(expected) == 40
    chance = random.Random(11)
    for _ in range(size("KILLS", 5)):
        with subprocess.Popen([sys.executable, "-c", BUILDER, str(home)], stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            for _ in range(chance.randint(1, 3)):
                assert process.stdout.readline()
            time.sleep(chance.random() / 20)  # anywhere in the turn
            process.send_signal(signal.SIGKILL)
        assert fired(home) == expected
    assert_as_from_scratch(home, publish(str(home)), tmp_path / "scratch")
