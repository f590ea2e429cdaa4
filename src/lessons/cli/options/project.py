"""The --cwd option of verbs about a project, and the --project option of verbs that read a part of the history."""

import os

import click

from lessons import paths
from lessons.errors import LessonsError
from lessons.match.call import is_of_windows

cwd_option = click.option("--cwd", metavar="DIR", help="The folder of the project.  [default: this one]")


def complete_project(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:
    """Returns the projects of the history whose path, or its last part, starts like this."""
    from lessons.store.history.history import History

    try:
        with History.for_reading(paths.data_home()) as history:
            found = history.sessions.projects()
    except LessonsError:
        return []
    return [each for each in found if each.startswith(incomplete) or os.path.basename(each).startswith(incomplete)]


project_option = click.option(
    "--project", metavar="P", shell_complete=complete_project, help="Only this project: its path, or a part of it."
)


def folder_of(cwd: str | None) -> str:
    """Returns the folder in which to look for the project."""
    return os.path.abspath(cwd) if cwd else os.getcwd()


def written_folder(project: str) -> str:
    """Returns the absolute path if written as a folder; otherwise empty: it is a part of a path."""
    if is_of_windows(project):
        return project
    if project in (".", "..", "~") or project.startswith(("/", "./", "../", "~/")):
        return os.path.abspath(os.path.expanduser(project))
    return ""
