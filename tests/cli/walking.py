"""A terminal with a review on it in, its screens and the answers of a person out."""

import atexit
import json
import shutil
import tempfile
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.builders.mistakes import write_sessions
from tests.cli.command_line import CommandLine, finish, plain
from tests.cli.transcripts import projects

if TYPE_CHECKING:
    import pexpect

# The end of a screen: from here on a key is read.
QUESTION = r"\[\?\]  > "


@cache
def _scanned() -> CommandLine:
    """Once in a run: a scan takes longer than what most tests do with it."""
    folder = tempfile.mkdtemp()
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    lessons = CommandLine(Path(folder))
    write_sessions(projects(lessons))
    lessons.ok("scan")
    return lessons


def with_history(lessons: CommandLine) -> CommandLine:
    """Seven mistakes, each in three sessions, read and mined."""
    for before, after in ((_scanned().home, lessons.home), (_scanned().person, lessons.person)):
        shutil.copytree(before, after, dirs_exist_ok=True)
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


class Review:
    """A review on a terminal of 24 lines; a person presses keys and reads the screens."""

    def __init__(self, lessons: CommandLine, *arguments: str, **environment: str) -> None:
        self.terminal = lessons.terminal("review", *arguments, PAGER="cat", **environment)
        self.lines = screen(self.terminal)

    @property
    def text(self) -> str:
        """The present screen on one line."""
        return " ".join(" ".join(self.lines).split())

    @property
    def heading(self) -> str:
        return next(line for line in self.lines if line.startswith("── "))

    def press(self, keys: str) -> "Review":
        for key in keys:
            self.lines = press(self.terminal, key)
        return self

    def type(self, keys: str, *answers: tuple[str, str]) -> "Review":
        """Presses keys that lead through menus to questions, and answers those."""
        for key in keys[:-1]:
            self.terminal.send(key)
            self.terminal.expect("> ")
        self.terminal.send(keys[-1])
        for question, text in answers:
            answer(self.terminal, question, text)
        self.lines = screen(self.terminal)
        return self

    def quit(self) -> list[str]:
        """What is printed at the end."""
        self.terminal.send("q")
        code, lines = finish(self.terminal)
        assert code == 0
        return lines


def records(lessons: CommandLine) -> list[dict[str, Any]]:
    """What is in lessons.json, which is valid at any moment."""
    file = lessons.home / "lessons.json"
    return list(json.loads(file.read_text(encoding="utf-8"))["lessons"]) if file.exists() else []


def decisions(lessons: CommandLine) -> list[dict[str, Any]]:
    file = lessons.home / "decisions.jsonl"
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()] if file.exists() else []
