"""Builds the sh line of a hook event from the paths of an installation, and parses such a line."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from lessons.agents.hook_lines import (
    CANNOT_START,
    FALLBACK_LINE,
    REPORTING_EVENT,
    SILENT_EVENT,
    WORKING_EVENTS,
    fill,
    from_posix_shell,
    in_posix_shell,
    line_of,
    lines_of,
    parts_of,
)
from lessons.agents.table import AGENTS, DEFAULT_AGENT
from lessons.errors import Refused

__all__ = [
    "CANNOT_START",
    "REPORTING_EVENT",
    "SILENT_EVENT",
    "WORKING_EVENTS",
    "InstalledCommand",
    "build_command",
    "build_commands",
    "build_fallback",
    "in_posix_shell",
    "is_ours",
    "parse_command",
    "rebuild",
]

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
