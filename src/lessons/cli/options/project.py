"""The option with which a verb is told about another project than that of the current folder."""

import os

import click

cwd_option = click.option("--cwd", metavar="DIR", help="In which project.  [default: that of this folder]")


def folder_of(cwd: str | None) -> str:
    """Where the project is looked for."""
    return os.path.abspath(cwd) if cwd else os.getcwd()
