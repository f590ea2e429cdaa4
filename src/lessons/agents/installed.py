"""Which settings file of an agent applies, and whether our hook is in it."""

import os
import shlex

from lessons.agents.hook_command import parse_command
from lessons.agents.table import AGENTS, installer_of, places_of
from lessons.errors import LessonsError

SCOPES = ("user", "project")


def settings_file(agent: str, scope: str = "user") -> str:
    """For this user and the current folder."""
    return places_of(agent).settings_path(scope, os.getcwd(), os.environ)


def has_hook(agent: str, file: str) -> bool:
    """Returns False for an unreadable file: no hook in it runs."""
    try:
        return bool(installer_of(agent).installed_commands(file))
    except LessonsError:
        return False


def other_home(agent: str, file: str, home: str) -> str:
    """Returns the data home that the hook in this file works on; empty if it is `home`, or not known."""
    try:
        commands = installer_of(agent).installed_commands(file).values()
    except LessonsError:
        return ""
    used = next(filter(None, map(_home_in, commands)), home)
    return "" if os.path.realpath(used) == os.path.realpath(home) else used


def _home_in(command: str) -> str:
    if parsed := parse_command(command):
        return parsed.home
    try:
        name, _, path = shlex.split(command)[0].partition("=")  # as a plugin that starts no shell tells it
    except (ValueError, IndexError):
        return ""
    return path if name == "LESSONS_HOME" and os.path.isabs(path) else ""


def hooked_since() -> dict[str, float]:
    """Returns the agents with our hook -> when the first settings file with it last changed, in seconds since 1970.

    The hook was installed then or before.
    """
    found: dict[str, float] = {}
    for agent in AGENTS:
        files = [file for scope in SCOPES if has_hook(agent, file := settings_file(agent, scope))]
        if files:
            found[agent] = min(map(_changed_at, files))
    return found


def _changed_at(file: str) -> float:
    try:
        return os.stat(file).st_mtime
    except OSError:
        return 0.0
