"""`lessons completion`: prints the completion script of a shell."""

import os

import click
from click.shell_completion import get_completion_class

from lessons.cli.boundary import command_of
from lessons.cli.main import VERBS

SHELLS = ("bash", "zsh", "fish")
VARIABLE = "_LESSONS_COMPLETE"


def whole_command() -> click.Group:
    """Returns every verb under one command, as completion needs it."""
    return click.Group("lessons", commands={verb: command_of(verb) for verb in VERBS if verb != "hook"})


def complete() -> int:
    """Answers the completion script, which calls `lessons` with a variable that says what to complete."""
    from click.shell_completion import shell_complete

    return shell_complete(whole_command(), {}, "lessons", VARIABLE, os.environ[VARIABLE])


@click.command("completion", short_help="Print the completion script for your shell")
@click.argument("shell", type=click.Choice(SHELLS))
def command(shell: str) -> None:
    """Print the completion script for your shell.

    \b
    bash:  lessons completion bash \\
             > ~/.local/share/bash-completion/completions/lessons
    zsh:   lessons completion zsh > a folder of $fpath, as _lessons
    fish:  lessons completion fish > ~/.config/fish/completions/lessons.fish
    """
    made = get_completion_class(shell)
    assert made is not None
    click.echo(made(whole_command(), {}, "lessons", VARIABLE).source())
