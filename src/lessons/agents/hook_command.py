"""The command of a hook event: built from the paths of an installation, and parsed; and the Python and shell for it."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

import lessons
from lessons.agents.hook_lines import FALLBACK_LINE, fill, from_posix_shell, in_posix_shell, line_of, parts_of
from lessons.agents.table import AGENTS, DEFAULT_AGENT
from lessons.errors import NotFound, Refused
from lessons.match.call import is_of_windows

OLDEST_SUPPORTED = (3, 11)
_MAXIMUM_HOPS = 8
_SECONDS_TO_ANSWER = 20
_QUESTION = "import sys; print(*sys.version_info[:2], sys._base_executable or sys.executable)"
_SHELL = "/bin/sh"

# Recognises commands of other versions: they run the entry file with an event, or the verb `lessons hook`.
_ENTRY_FILE = re.compile(
    r"(?<![\w.-])lessons[/\\]hook[/\\]entry\.py\b"
    r"(?=.*\b(?:PreToolUse|PostToolUse|PostToolUseFailure|SessionStart|SubagentStart|PreCompact|Stop|SessionEnd"
    r"|BeforeTool|AfterTool|AfterAgent)\b)"
)
_INVOCATION = re.compile(
    r"""(?:^|[;&|(])\s*(?:exec\s+)?(?:\w+=\S*\s+)*(?:\S+\s+-m\s+)?"""
    r"""(?:"[^"]*/lessons"|'[^']*/lessons'|(?:[^\s"';&|]*/)?lessons)\s+hook\s+\w"""
)


class InstalledCommand(NamedTuple):
    """The parts of our command; `environment_python` is empty if the line has none, `agent` for the default agent."""

    event: str
    python: str
    entry: str
    home: str
    environment_python: str = ""
    agent: str = ""


def build_command(event: str, python: str, entry: str, home: str, environment_python: str, agent: str = "") -> str:
    """Returns one line for any POSIX shell; whatever happens to Python, it exits with 0."""
    return _fill(line_of(event, agent), event, python, entry, home, environment_python)


def build_fallback(event: str, python: str, entry: str, home: str) -> str:
    """Returns the line that answers if a resident server is not running, and exits at once if it is."""
    return _fill(FALLBACK_LINE, event, python, entry, home, "")


def _fill(line: str, event: str, python: str, entry: str, home: str, environment_python: str) -> str:
    paths = {"python": python, "entry": entry, "home": home, "environment_python": environment_python}
    for path in paths.values():
        if "\0" in path or any("\ud800" <= character <= "\udfff" for character in path):
            raise Refused(f"The path {path!r} cannot be written to a settings file: use a path that is valid UTF-8.")
    return fill(line, {"event": event, **paths})


def parse_command(command: str) -> InstalledCommand | None:
    """Returns the parts of a command that is exactly what this version writes, else None."""
    command = from_posix_shell(command) or command
    for line, agent in _known_lines().items():
        parts = parts_of(line, command)
        if parts and line in (FALLBACK_LINE, line_of(parts["event"], agent)):
            return InstalledCommand(**parts, agent=agent)
    return None


def with_home(command: str, home: str) -> str:
    """Returns a command that `parse_command` knows, for another data home."""
    plain = from_posix_shell(command) or command
    line, parts = next((line, parts) for line in _known_lines() if (parts := parts_of(line, plain)))
    changed = fill(line, {**parts, "home": home})
    return changed if plain == command else in_posix_shell(changed)


@cache
def _known_lines() -> dict[str, str]:
    """Returns every template and its agent."""
    agents = {name: "" if name == DEFAULT_AGENT else name for name in AGENTS}
    lines = {line_of(event, agents[name]): agents[name] for name, row in AGENTS.items() for event in row.events}
    return {**lines, FALLBACK_LINE: ""}


def is_ours(command: str) -> bool:
    """True for a command of this version of lessons or of another one."""
    return bool(_ENTRY_FILE.search(command) or _INVOCATION.search(command) or parse_command(command))


def entry_file() -> str:
    """Returns the file of the installed package that every hook command starts."""
    return os.path.join(os.path.abspath(lessons.__path__[0]), "hook", "entry.py")


def command_places(home: str, executable: str = sys.executable, entry: str | None = None) -> tuple[str, str, str, str]:
    """Returns the paths in a hook command: interpreter, entry file, data home, and the Python with all dependencies."""
    python = usable_interpreter(executable)
    return (
        _with_slashes(python),
        _with_slashes(entry or entry_file()),
        _with_slashes(os.path.abspath(home)),
        _with_slashes(executable),
    )


def _with_slashes(path: str) -> str:
    """On Windows the client runs commands in the shell of Git, which uses slashes in program paths."""
    return path.replace("\\", "/") if is_of_windows(path) else path


def posix_shell(environment: Mapping[str, str] = os.environ, usual: str = _SHELL) -> str:
    """Returns the usual shell; on Windows that of Git, which the client uses there."""
    candidates = [usual, environment.get("CLAUDE_CODE_GIT_BASH_PATH", "")]
    git = shutil.which("git", path=environment.get("PATH"))
    if git:  # Git\\cmd\\git.exe
        folder = os.path.dirname(os.path.dirname(os.path.realpath(git)))
        candidates += [os.path.join(folder, "bin", name) for name in ("sh.exe", "bash.exe")]
    found = next((path for path in candidates if path and os.path.isfile(path)), None)
    if found is None:
        raise NotFound("There is no shell to run a hook command in: install Git for Windows, whose shell agents use.")
    return found


class _Answer(NamedTuple):
    version: tuple[int, int]
    executable: str


def usable_interpreter(executable: str = sys.executable) -> str:
    """Returns the interpreter behind links, shims and environments, which can be started on its own with -I -S.

    Returns `executable` itself if the one behind it does not answer; refuses one that no hook could start.
    """
    candidate, answer = executable, _ask(executable)
    if _is_of_store(executable):
        reason = "is an alias of the Microsoft Store and no Python that a hook can start"
    elif answer is None:
        reason = "does not run as Python"
    elif answer.version < OLDEST_SUPPORTED:
        reason = f"is Python {_dotted(answer.version)}"
    else:
        for _ in range(_MAXIMUM_HOPS):
            behind = os.path.realpath(answer.executable)
            if behind == os.path.realpath(candidate):
                return behind
            deeper = _ask(behind)
            if deeper is None or deeper.version < OLDEST_SUPPORTED:
                break
            candidate, answer = behind, deeper
        return executable
    wanted = f"Python {_dotted(OLDEST_SUPPORTED)} or later from python.org"
    raise Refused(f"{executable} {reason}: install lessons with {wanted} and run `lessons install` again.")


def _is_of_store(path: str) -> bool:
    """Whether it is in the folder of Windows Store programs and aliases; neither runs from everywhere."""
    return "windowsapps" in path.replace("\\", "/").lower().split("/")


def _dotted(version: tuple[int, int]) -> str:
    return ".".join(map(str, version))


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
