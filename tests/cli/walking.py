"""A terminal with a review on it in, its screens and the answers of a person out."""

import json
from typing import TYPE_CHECKING, Any

from tests.builders.mistakes import write_sessions
from tests.cli.command_line import CommandLine, plain
from tests.cli.transcripts import projects

if TYPE_CHECKING:
    import pexpect

# The end of a screen: from here on a key is read.
QUESTION = r"\[\?\]  > "


def with_history(lessons: CommandLine) -> CommandLine:
    """Seven mistakes, each in three sessions, read and mined."""
    write_sessions(projects(lessons))
    lessons.ok("scan")
    return lessons


def screen(terminal: "pexpect.spawn[str]") -> list[str]:
    """The next screen up to its question, colours taken off."""
    terminal.expect(QUESTION)
    return plain(str(terminal.before) + str(terminal.after)).splitlines()


def press(terminal: "pexpect.spawn[str]", key: str) -> list[str]:
    """One key, and the screen that comes of it."""
    terminal.send(key)
    return screen(terminal)


def answer(terminal: "pexpect.spawn[str]", question: str, text: str, instead: bool = True) -> None:
    """A line in an editor; instead of what stands there, or behind it."""
    terminal.expect(question)
    terminal.send(("\x15" if instead else "") + text + "\r")


def records(lessons: CommandLine) -> list[dict[str, Any]]:
    """What is in lessons.json, which is valid at any moment."""
    file = lessons.home / "lessons.json"
    return list(json.loads(file.read_text(encoding="utf-8"))["lessons"]) if file.exists() else []


def decisions(lessons: CommandLine) -> list[dict[str, Any]]:
    file = lessons.home / "decisions.jsonl"
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()] if file.exists() else []
