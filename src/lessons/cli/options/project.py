"""The --cwd option of verbs about a project."""

import os

import click

cwd_option = click.option("--cwd", metavar="DIR", help="The folder of the project.  [default: this one]")


def folder_of(cwd: str | None) -> str:
    """The folder in which to look for the project."""
    return os.path.abspath(cwd) if cwd else os.getcwd()
