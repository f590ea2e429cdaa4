"""The script that the commands of hook events source, these commands, and the Python and the shell for them."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

import lessons
from lessons.agents.hook_event import AFTER_CALL, BEFORE_COMPACTION, SESSION_END, SESSION_START, TURN_END
from lessons.agents.hook_lines import PROBLEM, from_posix_shell, hook_script_file, parts_of, quoted, unquoted
from lessons.agents.table import AGENTS
from lessons.errors import NotFound, Refused
from lessons.match.call import is_of_windows
from lessons.store.files import make_private_folders, write_text
from lessons.system import open_regular

OLDEST_SUPPORTED = (3, 11)
_MAXIMUM_HOPS = 8
_SECONDS_TO_ANSWER = 20
_QUESTION = "import sys; print(*sys.version_info[:2], sys._base_executable or sys.executable)"
_SHELL = "/bin/sh"

# Older versions had the whole script in the line, or opencode's plugin tells it so.
_HOME = re.compile(r"(?:trap [^;]*; )*LESSONS_HOME=('(?:[^']|'\\'')*'|[^\s';]+)")
# Recognises commands of any version: they source the script, run the entry file with an event, or the verb.
_SCRIPT = re.compile(r"\[ -r .*/lessons-hook\W.* \] && \. .*/lessons-hook\W", re.DOTALL)
_ENTRY_FILE = re.compile(
    r"(?<![\w.-])lessons[/\\]hook[/\\]entry\.py\b"
    r"(?=.*\b(?:PreToolUse|PostToolUse|PostToolUseFailure|SessionStart|SubagentStart|PreCompact|Stop|SessionEnd"
    r"|BeforeTool|AfterTool|AfterAgent)\b)"
)
_INVOCATION = re.compile(
    r"""(?:^|[;&|(])\s*(?:exec\s+)?(?:\w+=\S*\s+)*(?:\S+\s+-m\s+)?"""
    r"""(?:"[^"]*/lessons"|'[^']*/lessons'|(?:[^\s"';&|]*/)?lessons)\s+hook\s+\w"""
)


class Places(NamedTuple):
    """The paths of an installation: interpreter, entry file, data home, and the Python with all dependencies."""

    python: str
    entry: str
    home: str
    worker: str


# A path in the script.
_PLACE = re.compile(f"<({'|'.join(Places._fields)})>")


def places_of(home: str, executable: str = sys.executable, entry: str | None = None) -> Places:
    """Returns the places of this installation; refuses a Python that no hook could start."""
    python = usable_interpreter(executable)
    found = Places(python, entry or entry_file(), os.path.abspath(home), executable)
    return Places(*(path.replace("\\", "/") if is_of_windows(path) else path for path in found))


def script_text(places: Places) -> str:
    """Returns the script that every line sources; whatever happens to Python, it exits with 0."""
    for path in places:
        if "\0" in path or any("\ud800" <= character <= "\udfff" for character in path):
            raise Refused(f"The path {path!r} cannot be written to a hook: use a path that is valid UTF-8.")
    values = dict(zip(Places._fields, map(quoted, places), strict=True))
    return _PLACE.sub(lambda found: values[found[1]], _template())


def places_in(script: str) -> Places | None:
    """Returns the places in a script that is exactly what this version writes, else None."""
    pattern = re.escape(_PLACE.sub(r"<\1>", _template()))
    for name in Places._fields:
        pattern = pattern.replace(f"<{name}>", f"(?P<{name}>'(?:[^']|'\\\\'')*')")
    found = re.fullmatch(pattern, script)
    return Places(**{name: unquoted(words) for name, words in found.groupdict().items()}) if found else None


@cache
def _template() -> str:
    with open(os.path.join(os.path.dirname(__file__), "hook_script.sh"), encoding="utf-8") as file:
        text = file.read()
    waiting = " | ".join(name for name, row in AGENTS.items() if row.waits_for_streams)
    starting, working = _names_of(SESSION_START), _names_of(AFTER_CALL, BEFORE_COMPACTION, TURN_END, SESSION_END)
    text = text.replace("<starting>", starting).replace("<working>", working)
    return text.replace("<problem>", PROBLEM).replace("<waiting>", waiting)


def _names_of(*kinds: str) -> str:
    """Returns what matches the events of these kinds in a shell's `case`, under the names that agents give them."""
    events = (event for row in AGENTS.values() for event in row.events.items())
    return " | ".join(dict.fromkeys(name for name, hook in events if hook.kind in kinds))


def write_script(places: Places) -> None:
    """Writes the script to the data home, if it is not there already."""
    try:
        make_private_folders(places.home)
        write_text(hook_script_file(places.home), script_text(places))
    except OSError as fault:
        raise Refused(f"Cannot write {hook_script_file(places.home)} ({fault.strerror}): make it writable.") from fault


def installed_script(home: str) -> Places | None:
    """Returns the places in the script of a data home; None if it is missing, or not what this version writes there."""
    try:
        with open_regular(hook_script_file(home)) as file:
            found = places_in(file.read().decode("utf-8", "replace"))
    except OSError:
        return None
    return found if found and found.home == home else None


def parse_command(command: str) -> tuple[str, str, str] | None:
    """Returns event, agent and data home of a command that is exactly what this version writes, else None."""
    return parts_of(from_posix_shell(command) or command)


def home_of(command: str) -> str:
    """Returns the data home of a command of this or an older version; empty if it does not name one."""
    if parsed := parse_command(command):
        return parsed[2]
    found = _HOME.match(from_posix_shell(command) or command)
    return unquoted(found[1]) if found else ""


def is_ours(command: str) -> bool:
    """True for a command of this version of lessons or of another one."""
    return bool(_SCRIPT.search(command) or _ENTRY_FILE.search(command) or _INVOCATION.search(command))


def entry_file() -> str:
    """Returns the file of the installed package that every hook command starts."""
    return os.path.join(os.path.abspath(lessons.__path__[0]), "hook", "entry.py")


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
