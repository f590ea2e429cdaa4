"""The options that select a settings file; `install` and `uninstall` share them."""

import os
from collections.abc import Callable
from typing import TypeVar

import click

from lessons.agents import installed
from lessons.agents.table import AGENTS, DEFAULT_AGENT

Function = TypeVar("Function", bound=Callable[..., object])


def agent_options(function: Function) -> Function:
    options = [
        click.option(
            "--agent", type=click.Choice([*AGENTS]), default=DEFAULT_AGENT, show_default=True, help="Which agent."
        ),
        click.option(
            "--scope",
            type=click.Choice(installed.SCOPES),
            default="user",
            show_default=True,
            help="For all your projects, or this folder only.",
        ),
        click.option("--settings", type=click.Path(dir_okay=False), help="Use this settings file instead."),
        click.option(
            "--client-config", type=click.Path(dir_okay=False), help="Use this file of the agent's servers instead."
        ),
        click.option("--dry-run", is_flag=True, help="Show the change, and change nothing."),
    ]
    for option in reversed(options):
        function = option(function)
    return function


def settings_file(agent: str, scope: str, settings: str | None) -> str:
    return os.path.abspath(settings) if settings else installed.settings_file(agent, scope)
