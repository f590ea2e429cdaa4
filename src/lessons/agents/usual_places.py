"""The rules by which most agents choose the folders of their settings and transcripts."""

import os
import re
from collections.abc import Iterable, Mapping

from lessons.errors import Refused

_OTHER_SIGNS = re.compile(r"[^a-zA-Z0-9]")


def of_scope(scope: str, project_folder: str, in_project: str, of_person: str) -> str:
    """Returns the settings file of a scope: the path below the project's folder, or the user's."""
    if scope == "project":
        return os.path.join(os.path.abspath(project_folder), in_project)
    if scope != "user":
        raise Refused(f"The scope is {scope!r}: choose user or project.")
    return of_person


def home_of(environment: Mapping[str, str], variable: str, folder: str) -> str:
    """Returns the folder that a variable names, else the one in the user's home; an empty variable counts as unset."""
    chosen = environment.get(variable)
    return os.path.abspath(chosen or os.path.join(person_of(environment), folder))


def person_of(environment: Mapping[str, str]) -> str:
    return environment.get("HOME") or os.path.expanduser("~")


def below(homes: Iterable[str], folder: str) -> list[str]:
    """Returns that folder in each of these homes, each once; skips empty names."""
    found = [os.path.join(os.path.realpath(os.path.expanduser(home)), folder) for home in homes if home]
    return list(dict.fromkeys(found))


def dashed_names(project_root: str) -> tuple[str, ...]:
    """Returns the names of a project's transcript folder: a dash replaces any other character."""
    return tuple({_OTHER_SIGNS.sub("-", each) for each in (project_root, os.path.realpath(project_root))})
