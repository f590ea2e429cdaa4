"""The command of a hook event: built from the paths of an installation, and parsed; and the Python and shell for it."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import lessons
from lessons.agents.hook_lines import FALLBACK_LINE, fill, from_posix_shell, line_of, lines_of, parts_of
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
_OTHER_AGENTS = tuple(agent for agent in AGENTS if agent != DEFAULT_AGENT)
_KNOWN_LINES = (*((agent, line) for agent in ("", *_OTHER_AGENTS) for line in lines_of(agent)), ("", FALLBACK_LINE))


@dataclass(frozen=True)
class InstalledCommand:
    """The parts of our command; `environment_python` is empty if the line has none.

    `agent` is empty for the default agent.
    """

    event: str
    python: str
    entry: str
    home: str
    environment_python: str
    behind_server: bool = False
    agent: str = ""


def build_command(event: str, python: str, entry: str, home: str, environment_python: str, agent: str = "") -> str:
    """Returns one line for any POSIX shell; whatever happens to Python, it exits with 0."""
    return _fill(line_of(event, agent), event, python, entry, home, environment_python)


def build_commands(events: Iterable[str], places: tuple[str, str, str, str], agent: str) -> dict[str, str]:
    """Returns the line of each event; `places` are interpreter, entry file, data home, and the Python with all
    dependencies.
    """
    return {event: build_command(event, *places, agent=agent) for event in events}


def build_fallback(event: str, python: str, entry: str, home: str) -> str:
    """Returns the line that answers if a resident server is not running, and exits at once if it is."""
    return _fill(FALLBACK_LINE, event, python, entry, home, "")


def parse_command(command: str) -> InstalledCommand | None:
    """Returns the parts of a command that is exactly what this version writes, else None."""
    command = from_posix_shell(command) or command
    found = ((agent, line, parts) for agent, line in _KNOWN_LINES if (parts := parts_of(line, command)))
    agent, line, parts = next(found, ("", "", None))
    if parts is None:
        return None
    server = line is FALLBACK_LINE
    parsed = InstalledCommand(**{"environment_python": "", **parts}, behind_server=server, agent=agent)
    try:
        again = rebuild(parsed)
    except Refused:
        return None
    return parsed if again == command else None


def rebuild(parsed: InstalledCommand) -> str:
    """Returns the command with these parts."""
    if parsed.behind_server:
        return build_fallback(parsed.event, parsed.python, parsed.entry, parsed.home)
    places = (parsed.python, parsed.entry, parsed.home, parsed.environment_python)
    return build_command(parsed.event, *places, agent=parsed.agent)


def is_ours(command: str) -> bool:
    """True for a command of this version of lessons or of another one."""
    return bool(_ENTRY_FILE.search(command) or _INVOCATION.search(command) or parse_command(command))


def _fill(line: str, event: str, python: str, entry: str, home: str, environment_python: str) -> str:
    paths = {"python": python, "entry": entry, "home": home, "environment_python": environment_python}
    for path in paths.values():
        if "\0" in path or any("\ud800" <= character <= "\udfff" for character in path):
            raise Refused(f"The path {path!r} cannot be written to a settings file: use a path that is valid UTF-8.")
    return fill(line, {"event": event, **paths})


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
