"""Finds the real interpreter for the path of a Python, which may be a shim or a link."""

import os
import subprocess
import sys
from dataclasses import dataclass

from lessons.errors import Refused

OLDEST_SUPPORTED = (3, 11)
_MAXIMUM_HOPS = 8
_SECONDS_TO_ANSWER = 20
_QUESTION = "import sys; print(*sys.version_info[:2], sys._base_executable or sys.executable)"


@dataclass(frozen=True)
class _Answer:
    version: tuple[int, int]
    executable: str


def resolve_interpreter(executable: str = sys.executable) -> str:
    """Returns the interpreter that can be started on its own with -I -S; if none is found, `executable` itself."""
    return _found(executable)[0]


def usable_interpreter(executable: str = sys.executable) -> str:
    """Returns the same, but refuses one that would leave every hook without a Python."""
    found, answer = _found(executable)
    if _is_of_store(found):
        reason = "is an alias of the Microsoft Store and no Python that a hook can start"
    elif answer is None:
        reason = "does not run as Python"
    elif answer.version < OLDEST_SUPPORTED:
        reason = f"is Python {_dotted(answer.version)}"
    else:
        return found
    wanted = f"Python {_dotted(OLDEST_SUPPORTED)} or later from python.org"
    raise Refused(f"{found} {reason}: install lessons with {wanted} and run `lessons install` again.")


def _found(executable: str) -> tuple[str, "_Answer | None"]:
    """Returns the interpreter, and its answer; `executable` and its own answer if the one behind it does not answer."""
    candidate, first = executable, None
    for hop in range(_MAXIMUM_HOPS):
        real = os.path.realpath(candidate)
        answer = None if _is_script(real) else _ask(real)
        if answer is None:
            # A shim: a script, or a link to a program that checks the name it was called by.
            answer = _ask(candidate)
        first = first if hop else answer
        if answer is None or answer.version < OLDEST_SUPPORTED:
            break
        behind = os.path.realpath(answer.executable)
        if behind == real:
            return (executable if _is_script(real) else real), answer
        candidate = answer.executable
    return executable, first


def _is_of_store(path: str) -> bool:
    """Whether it is in the folder of Windows Store programs and aliases; neither runs from everywhere."""
    return "windowsapps" in path.replace("\\", "/").lower().split("/")


def _dotted(version: tuple[int, int]) -> str:
    return ".".join(map(str, version))


def _is_script(path: str) -> bool:
    try:
        with open(path, "rb") as file:
            return file.read(2) == b"#!"
    except OSError:
        return False


def _ask(path: str) -> _Answer | None:
    if _is_of_store(path):
        return None  # it may open a window
    try:
        asked = subprocess.run(
            [path, "-I", "-S", "-X", "utf8", "-c", _QUESTION],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_SECONDS_TO_ANSWER,
        )
        major, minor, behind = os.fsdecode(asked.stdout).rstrip("\r\n").split("\n")[-1].split(" ", 2)
        return _Answer((int(major), int(minor)), behind) if asked.returncode == 0 else None
    except (OSError, subprocess.SubprocessError, ValueError):
        return None
