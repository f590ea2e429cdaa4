"""`lessons demo`: the whole story, quickly, leaving nothing behind."""

import time
from pathlib import Path

from tests.cli.command_line import COLUMNS, CommandLine, widest


def everything_below(folder: Path) -> list[Path]:
    return list(folder.rglob("*"))


def test_the_story(lessons: CommandLine) -> None:
    began = time.monotonic()
    surroundings = {"LESSONS_MIN_CONFIDENCE": "1", "LESSONS_DISABLE": "1", "LESSONS_HOME": str(lessons.home / "none")}
    story = lessons.ok("demo", **surroundings)
    assert time.monotonic() - began < 60
    steps = [step for step in story.partition("That was")[0].split("\n\n") if step.lstrip()[:1].isdigit()]
    outcomes = [step.split("\n")[1].strip() for step in steps[2:]]
    assert outcomes == [
        "DENIED, and the agent reads:",
        "no lesson fires: the call runs unchanged",
        "runs, and the agent reads with the result:",
        "no lesson fires: the call runs unchanged",
    ]
    assert "Rerun as: pytest tests/ --no-header -p no:faulthandler" in story
    assert "**Fix**: Use `git stash -u`" in story
    assert not everything_below(lessons.temporary)
    assert not everything_below(lessons.home)
    assert not everything_below(lessons.person)


def test_no_word_breaks_at_80_columns(lessons: CommandLine) -> None:
    lines = lessons.screen("demo")
    assert widest(lines) <= COLUMNS
    assert "     no:faulthandler" in lines
