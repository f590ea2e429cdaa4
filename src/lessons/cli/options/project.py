"""The --cwd option of verbs about a project, and what --project means where it selects a part of the history."""

import os

import click

from lessons.match.call import is_of_windows

cwd_option = click.option("--cwd", metavar="DIR", help="The folder of the project.  [default: this one]")


def folder_of(cwd: str | None) -> str:
    """The folder in which to look for the project."""
    return os.path.abspath(cwd) if cwd else os.getcwd()


def written_folder(project: str) -> str:
    """An absolute path where it is written as a folder; otherwise nothing: it is a part of a path."""
    if is_of_windows(project):
        return project
    if project in (".", "..", "~") or project.startswith(("/", "./", "../", "~/")):
        return os.path.abspath(os.path.expanduser(project))
    return ""
