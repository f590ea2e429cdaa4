"""The progress of a build: nothing without a terminal, and nothing for a build that takes no time."""

import os
import subprocess
import sys

import pytest

from lessons.cli.build_progress import watching
from tests.builders.home import DataHome
from tests.builders.lessons import in_own_words, lesson

SHOWN = "Compiling lessons"


def test_without_a_terminal_nothing_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    for wanted in (True, False):
        with watching(wanted) as watch:
            watch(1, 10_000)
    assert capsys.readouterr() == ("", "")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pty")
@pytest.mark.parametrize(("count", "options", "is_shown"), [(3, [], False), (600, ["--quiet"], False), (600, [], True)])
def test_a_long_build_shows_how_far_it_is(home: DataHome, count: int, options: list[str], is_shown: bool) -> None:
    import pty

    home.write(*(in_own_words(lesson(f"lesson-{number}")) for number in range(count)))
    ours, its = pty.openpty()
    environment = {**os.environ, "LESSONS_HOME": home.path, "TERM": "xterm-256color", "COLUMNS": "100"}
    command = [sys.executable, "-m", "lessons", "build", *options]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=its, env=environment) as process:
        os.close(its)
        shown = b""
        try:
            while piece := os.read(ours, 1 << 16):
                shown += piece
        except OSError:  # how Linux says that nobody writes any more
            pass
    os.close(ours)
    assert process.returncode == 0
    assert (SHOWN in shown.decode()) is is_shown
