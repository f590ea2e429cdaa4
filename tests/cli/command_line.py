"""Arguments in, what `lessons` printed and how it ended out; with its output captured or on a terminal."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pexpect
from rich.cells import cell_len

from tests.cli import in_process, on_terminal
from tests.cli.in_process import LESSONS as LESSONS

SECONDS = 120
COLUMNS = 80
_COLOUR = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
# A right that root has and nobody else: without it a folder that may not be written is one.
# The superuser without CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH: the modes of files count.
_WITHOUT_PRIVILEGES = """
import ctypes, os, sys
for capability in (1, 2):
    ctypes.CDLL(None).prctl(24, capability, 0, 0, 0)
os.execv(sys.argv[1], sys.argv[1:])
"""
AS_ANYONE = [sys.executable, "-c", _WITHOUT_PRIVILEGES] if hasattr(os, "geteuid") and os.geteuid() == 0 else []


class Ended(NamedTuple):
    """A command that has ended."""

    code: int
    out: str
    error: str


class CommandLine:
    """`lessons` in the surroundings of one test, with nothing of the person who runs it but the path."""

    def __init__(self, root: Path) -> None:
        self.home = root / "data"
        self.person = root / "person"
        self.temporary = root / "tmp"
        self.work = root / "work"
        self.settings = self.person / ".claude" / "settings.json"
        for folder in (self.home, self.person, self.temporary, self.work):
            folder.mkdir(0o700, exist_ok=True)

    def environment(self, **variables: str) -> dict[str, str]:
        return {
            "PATH": f"{Path(LESSONS).parent}:{os.environ.get('PATH', os.defpath)}",
            "HOME": str(self.person),
            "TMPDIR": str(self.temporary),
            "LESSONS_HOME": str(self.home),
            "LANG": "C.UTF-8",
            **variables,
        }

    def __call__(self, *arguments: str, text: str | None = None, **variables: str) -> Ended:
        """The verb with /dev/null for stdin, or with a text there."""
        return self.run([LESSONS, *arguments], text, **variables)

    def run(self, command: list[str], text: str | None = None, **variables: str) -> Ended:
        given = None if text is None else text.encode("utf-8", "surrogatepass")
        environment = self.environment(**variables)
        done: in_process.Done | subprocess.CompletedProcess[bytes]
        if command[0] == LESSONS and not in_process.needs_interpreter(variables):
            done = in_process.run(command[1:], given, self.work, environment)
        else:
            done = subprocess.run(
                command,
                stdin=subprocess.DEVNULL if given is None else None,
                input=given,
                capture_output=True,
                cwd=self.work,
                env=environment,
                timeout=SECONDS,
            )
        return Ended(done.returncode, done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace"))

    def ok(self, *arguments: str, text: str | None = None, **variables: str) -> str:
        """What a verb that succeeds prints, with no word on stderr."""
        ended = self(*arguments, text=text, **variables)
        assert (ended.code, ended.error) == (0, ""), ended
        return ended.out

    def json(self, *arguments: str, text: str | None = None, **variables: str) -> Any:
        """The one document that a verb prints with --json."""
        ended = self(*arguments, "--json", text=text, **variables)
        assert ended.code == 0, ended
        return json.loads(ended.out)

    def refused(self, *arguments: str, text: str | None = None, code: int = 1, **variables: str) -> str:
        """The sentence on stderr of a verb that does nothing."""
        ended = self(*arguments, text=text, **variables)
        assert (ended.code, ended.out) == (code, ""), ended
        assert "Traceback" not in ended.error
        return ended.error

    def by_person(self, *arguments: str, **variables: str) -> Ended:
        """A verb that asks nothing on a terminal."""
        environment = self.environment(**{"TERM": "xterm-256color", "COLUMNS": "500", **variables})
        done = on_terminal.call(list(arguments), self.work, environment)
        return Ended(done.code, plain(done.out), done.error)

    def person_ok(self, *arguments: str) -> str:
        ended = self.by_person(*arguments)
        assert (ended.code, ended.error) == (0, ""), ended
        return ended.out

    def person_json(self, *arguments: str) -> Any:
        return json.loads(self.person_ok(*arguments, "--json"))

    def as_anyone(self, *arguments: str, **variables: str) -> Ended:
        """The verb by a user who may not write where the mode of a folder forbids it."""
        return self.run([*AS_ANYONE, LESSONS, *arguments], **variables)

    def terminal(self, *arguments: str, **variables: str) -> "pexpect.spawn[str]":
        """The verb on a terminal of 80 columns."""
        environment = self.environment(TERM="xterm-256color", **variables)
        terminal = pexpect.spawn(
            LESSONS,
            list(arguments),
            dimensions=(24, COLUMNS),
            cwd=str(self.work),
            env=environment,
            encoding="utf-8",
            timeout=SECONDS,
            preexec_fn=in_process.forked(list(arguments), environment),
        )
        terminal.delaybeforesend = None  # every answer comes after its question
        return terminal

    def screen(self, *arguments: str, **variables: str) -> list[str]:
        """The lines that a verb without questions leaves on the terminal, colours taken off."""
        return finish(self.terminal(*arguments, **variables))[1]


def finish(terminal: "pexpect.spawn[str]") -> tuple[int | None, list[str]]:
    """The exit code and what was printed since the last expectation."""
    terminal.expect(pexpect.EOF)
    terminal.close()
    assert isinstance(terminal.before, str)
    return terminal.exitstatus, plain(terminal.before).splitlines()


def plain(text: str) -> str:
    return _COLOUR.sub("", text)


def widest(lines: list[str]) -> int:
    return max(map(cell_len, lines), default=0)
