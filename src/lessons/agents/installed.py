"""Which settings file of an agent applies, and whether our hook is in it."""

import os

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
