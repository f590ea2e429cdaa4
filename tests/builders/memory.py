"""Failed and successful calls in, the index of memory out."""

import json
from array import array
from pathlib import Path

from lessons.failure.error_text import signature
from lessons.mistakes.features import features_of, keys_of
from lessons.mistakes.remember import build
from lessons.store.history.episodes import Diagnosis, FailedCall
from lessons.store.memory_index import MemoryIndex
from tests.builders.payloads import FOLDER


def failed(
    command: str,
    error: str,
    worked: str = "",
    *,
    name: str = "",
    weight: float = 0.8,
    cwd: str = FOLDER,
    project: str = FOLDER,
    exit_code: int | None = 1,
    tool: str = "Bash",
    arguments: object = None,
    time: str = "2026-11-10T09:00:00.000Z",
    is_told: bool = True,
    program: str = "",
    worked_arguments: object = None,
) -> FailedCall:
    """A failed call with the call that worked afterwards; unless `is_told`, nobody may be told of that one."""
    given = json.dumps(arguments if arguments is not None else {"command": command})
    program = program or command.split(" ", 1)[0] or tool
    name = name or f"toolu_{abs(hash((command, error))):x}"
    values = (name, weight, program, signature(error), project, tool, command)
    after = ("", "", "", False)
    if worked:
        after = ("Bash", worked, json.dumps({"command": worked}), is_told)
    elif worked_arguments is not None:
        after = (tool, "", json.dumps(worked_arguments), is_told)
    return FailedCall(*values, given, cwd, time, exit_code, error, *after)


class Remembered:
    """Everything that one data home remembers."""

    def __init__(self) -> None:
        self.failures: list[FailedCall] = []
        self.good: list[tuple[str, str]] = []  # command, project
        self.said: dict[str, Diagnosis] = {}

    def write(self, folder: Path) -> str:
        """Writes the index into a data home; returns its path."""
        counted = [
            (each.project, True, _keys(each.tool, each.arguments, each.command, each.cwd)) for each in self.failures
        ]
        counted += [(project, False, _keys("Bash", "", command, project)) for command, project in self.good]
        folders = {(each.cwd, each.project) for each in self.failures} | {(place, place) for _, place in self.good}
        file = folder / "memory-index"
        file.write_bytes(build(self.failures, self.said, lambda: counted, folders))
        file.chmod(0o600)
        return str(file)

    def index(self, folder: Path) -> MemoryIndex:
        return MemoryIndex(self.write(folder))


def _keys(tool: str, arguments: str, command: str, cwd: str) -> "array[int]":
    given = json.loads(arguments) if arguments else None
    return array("I", keys_of(features_of(tool, given, command or None, cwd)))
