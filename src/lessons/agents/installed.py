"""Which settings file of an agent applies, and whether our hook is in it."""

import os

from lessons.agents.table import installer_of, places_of
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
