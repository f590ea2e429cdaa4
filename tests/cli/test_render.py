"""Text of a lesson cannot steer the terminal, whichever verb prints it."""

import json
import re

import pytest

from lessons.cli.render import printable
from tests.builders.home import DataHome
from tests.builders.lessons import lesson
from tests.cli.command_line import CommandLine, finish
from tests.tables import table

EVIL = "\x1b]0;owned\x07\x1b[2J\x9b31m\x7f\rgone\x08"
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1a\x1c-\x1f\x7f-\x9f]|\x1b(?!\[[0-9;?]*[mhlK])")


@table("text", ["", "plain", "tab\tand\nline", "Grüße 写 🙂"])
def test_what_is_harmless_stays(text: str) -> None:
    assert printable(text) == text


def test_what_is_not_is_replaced() -> None:
    assert not CONTROL.search(printable(EVIL))
    assert printable("a\x1bb\x9bc") == "a\ufffdb\ufffdc"


@pytest.mark.parametrize(
    "arguments",
    [
        ["list"],
        ["show", "stash"],
        ["try", "git stash"],
        ["log"],
        ["doctor"],
        ["build"],
        ["mute", "stash"],
        ["show", EVIL],
        ["list", "--json"],
        ["archive", "stash"],
    ],
)
def test_nothing_of_a_lesson_reaches_the_terminal_raw(
    arguments: list[str], home: DataHome, lessons: CommandLine
) -> None:
    text = f"A lesson with {EVIL} that was copied from somewhere"
    record = lesson(
        f"stash{EVIL}",
        summary=text,
        problem=text,
        solution=text,
        tags=[f"tool:{EVIL}"],
        triggers={"commandPatterns": ["git stash", f"({EVIL}"]},
        examples={"fires": [EVIL]},
    )
    home.publish(record, {**record, "id": "other", "slug": f"review{EVIL}", "needsReview": True})
    (home.folder / "faults.log").write_text(EVIL)
    event = json.dumps({"time": EVIL, "slug": EVIL, "decision": "hint", "why": EVIL, "cwd": EVIL})
    (home.folder / "injections.jsonl").write_text(event + "\n")
    terminal = lessons.terminal(*arguments)
    _, lines = finish(terminal)
    assert isinstance(terminal.before, str)
    assert lines
    assert not CONTROL.search(terminal.before.replace("\r\n", "\n")), terminal.before
