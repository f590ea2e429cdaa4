"""A copy of the package with toy agents, and its command line."""

import json
import shutil
import sys
from pathlib import Path
from typing import Any

from tests.agents import toy
from tests.builders.package import PackageCopy
from tests.cli.command_line import CommandLine, Ended

_TABLE = "ROWS = (\n"


def package_with_toys(folder: Path, *names: str) -> PackageCopy:
    """Each agent is the toy with its own name in everything that it writes and reads."""
    copy = PackageCopy(folder)
    for name in names:
        place = copy.package / "agents" / name
        shutil.copytree(toy.__path__[0], place, ignore=shutil.ignore_patterns("__pycache__"))
        for file in place.glob("*.py"):
            file.write_text(file.read_text().replace("toy", name).replace("Toy", name.title()))
        row = (place / "row.py").read_text().partition("ROW = ")[2]
        replace(copy, "agents/table.py", _TABLE, f"{_TABLE}{row.rstrip()},\n")
    return copy


def replace(copy: PackageCopy, file: str, before: str, after: str) -> None:
    path = copy.package / file
    assert before in path.read_text()
    path.write_text(path.read_text().replace(before, after))


class ToyCommandLine(CommandLine):
    """`lessons` from a copy of the package that knows the toy agent."""

    def __init__(self, root: Path, copy: PackageCopy) -> None:
        super().__init__(root)
        self.copy = copy
        self.conf = self.person / ".toy" / "toy.conf"
        (self.home / "fired").mkdir()
        for name in ("scan", "alerts"):  # a session that starts leaves no process behind
            (self.home / "fired" / name).touch()

    def __call__(self, *arguments: str, text: str | None = None, **variables: str) -> Ended:
        command = [sys.executable, "-m", "lessons", *arguments]
        return self.run(command, text, **{"PYTHONPATH": str(self.copy.root), **variables})

    def hook(self, event: str, **payload: object) -> Any:
        """What the command in the toy agent's settings answers."""
        [line] = [line for line in self.conf.read_text().splitlines() if line.startswith(f"on {event} run ")]
        command = line.removeprefix(f"on {event} run ")
        done = self.run(["/bin/sh", "-c", command], json.dumps({"chat": "c1", "dir": "/shop", **payload}))
        assert (done.code, done.error) == (0, "")
        return json.loads(done.out) if done.out else None
