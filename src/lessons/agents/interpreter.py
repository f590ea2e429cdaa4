"""The path of a Python, perhaps a shim or a link, becomes the path of the real interpreter behind it."""

import os
import subprocess
import sys
from dataclasses import dataclass

OLDEST_SUPPORTED = (3, 11)
_MAXIMUM_HOPS = 8
_SECONDS_TO_ANSWER = 20
_QUESTION = "import sys; print(*sys.version_info[:2], sys._base_executable or sys.executable)"


@dataclass(frozen=True)
class _Answer:
    version: tuple[int, int]
    executable: str


def resolve_interpreter(executable: str = sys.executable) -> str:
    """The interpreter that can be started on its own with -I -S; where none is found, `executable` itself."""
    candidate = executable
    for _ in range(_MAXIMUM_HOPS):
        real = os.path.realpath(candidate)
        answer = None if _is_script(real) else _ask(real)
        if answer is None:
            # A shim: a script, or a link to a program that looks at the name it was called by.
            answer = _ask(candidate)
        if answer is None or answer.version < OLDEST_SUPPORTED:
            break
        behind = os.path.realpath(answer.executable)
        if behind == real:
            return executable if _is_script(real) else real
        candidate = answer.executable
    return executable


def _is_script(path: str) -> bool:
    try:
        with open(path, "rb") as file:
            return file.read(2) == b"#!"
    except OSError:
        return False


def _ask(path: str) -> _Answer | None:
    try:
        asked = subprocess.run(
            [path, "-I", "-S", "-c", _QUESTION],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_SECONDS_TO_ANSWER,
        )
        major, minor, behind = os.fsdecode(asked.stdout).rstrip("\n").split("\n")[-1].split(" ", 2)
        return _Answer((int(major), int(minor)), behind) if asked.returncode == 0 else None
    except (OSError, subprocess.SubprocessError, ValueError):
        return None
