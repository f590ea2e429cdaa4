"""`lessons hook`: the hook by its slow way in; never exit code 2, which an agent takes as a block."""

import json

import pytest

from tests.builders.home import DataHome
from tests.builders.lessons import blocking
from tests.builders.payloads import bash
from tests.cli.command_line import CommandLine

CALL = json.dumps(bash("git push --force"))


@pytest.mark.parametrize("arguments", [["Unknown"], ["../../outside"], ["PreToolUse", "--new-flag", "x"], ["Stop"]])
@pytest.mark.parametrize("text", ["", "{", "[]", "\ud800"])
def test_what_is_not_understood_is_passed_over(arguments: list[str], text: str, lessons: CommandLine) -> None:
    assert lessons.ok("hook", *arguments, text=text) == ""
    assert not (lessons.home.parent / "outside").exists()


def test_without_an_event_it_is_refused_but_not_as_usage(lessons: CommandLine) -> None:
    assert lessons.refused("hook", text=CALL).startswith("Give the event, such as PreToolUse")


def test_it_answers_as_the_installed_command_does(home: DataHome, lessons: CommandLine) -> None:
    home.publish(blocking())
    answer = lessons.ok("hook", "PreToolUse", text=CALL)
    assert (0, json.loads(answer)) == home.run(bash("git push --force"))
    assert (home.folder / "fired" / "PreToolUse").exists()


def test_it_can_be_switched_off(home: DataHome, lessons: CommandLine) -> None:
    home.publish(blocking())
    assert lessons.ok("hook", "PreToolUse", text=CALL, LESSONS_DISABLE="1") == ""
    assert lessons.ok("hook", "PreToolUse", text=CALL, LESSONS_DISABLE="0") != ""
    assert lessons.ok("hook", "PreToolUse", text=CALL, LESSONS_HOME="relative") == ""
