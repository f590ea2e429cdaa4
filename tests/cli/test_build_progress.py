"""The progress of a build: nothing without a terminal, and nothing for a build that takes no time."""

import os
import sys

import pytest

from lessons.cli.build_progress import watching
from tests.builders.home import DataHome
from tests.builders.lessons import in_own_words, lesson
from tests.cli.on_terminal import run_with_errors_on_terminal

SHOWN = "Compiling lessons"


def test_without_a_terminal_nothing_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    for wanted in (True, False):
        with watching(wanted) as watch:
            watch(1, 10_000)
    assert capsys.readouterr() == ("", "")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pty")
@pytest.mark.parametrize(("count", "options", "is_shown"), [(3, [], False), (600, ["--quiet"], False), (600, [], True)])
def test_a_long_build_shows_how_far_it_is(home: DataHome, count: int, options: list[str], is_shown: bool) -> None:
    home.write(*(in_own_words(lesson(f"lesson-{number}")) for number in range(count)))
    environment = {**os.environ, "LESSONS_HOME": home.path, "TERM": "xterm-256color", "COLUMNS": "100"}
    command = [sys.executable, "-m", "lessons", "build", *options]
    printed = run_with_errors_on_terminal(command, environment, 60)
    assert printed.code == 0
    assert (SHOWN in printed.error) is is_shown
