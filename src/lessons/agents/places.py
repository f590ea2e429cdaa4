"""Where the files of an agent are, by its row: the settings of a scope, and the folders with its transcripts."""

import os
import re
from collections.abc import Mapping

from lessons.agents.table import AGENTS, first_place
from lessons.errors import Refused
from lessons.store.project_folder import root_above

SCOPES = ("user", "project")
_OTHER_SIGNS = re.compile(r"[^a-zA-Z0-9]")


def settings_path(agent: str, scope: str, project_folder: str, environment: Mapping[str, str]) -> str:
    """Returns the settings file of the scope `user` or `project`, existing or not."""
    if scope == "project":
        return os.path.join(os.path.abspath(project_folder), AGENTS[agent].project_settings)
    if scope != "user":
        raise Refused(f"The scope is {scope!r}: choose user or project.")
    return os.path.abspath(_first(AGENTS[agent].settings, environment))


def settings_file(agent: str, scope: str = "user") -> str:
    """Returns the same for this user and the current folder."""
    return settings_path(agent, scope, os.getcwd(), os.environ)


def changeable_file(agent: str, scope: str) -> str:
    """Returns the same; refuses the file of a project if a link of the project leads to one outside of it."""
    file = settings_file(agent, scope)
    if scope == "project" and not os.path.realpath(file).startswith(os.path.join(root_above(os.getcwd()), "")):
        raise Refused(f"{file} leads out of the project, to {os.path.realpath(file)}: name that file with --settings.")
    return file


def transcript_folders(agent: str) -> list[str]:
    """Returns the folders in which the user's clients may store transcripts, existing or not."""
    found = (_first(place, os.environ) for place in AGENTS[agent].transcripts)
    return list(dict.fromkeys(os.path.realpath(os.path.expanduser(folder)) for folder in found if folder))


def _first(alternatives: str, environment: Mapping[str, str]) -> str:
    values = {"HOME": os.path.expanduser("~"), **{name: value for name, value in environment.items() if value}}
    return first_place(alternatives, lambda name: values.get(name, ""))


def dashed_names(project_root: str) -> tuple[str, ...]:
    """Returns the names of a project's transcript folder: a dash replaces any other character."""
    return tuple({_OTHER_SIGNS.sub("-", each) for each in (project_root, os.path.realpath(project_root))})
