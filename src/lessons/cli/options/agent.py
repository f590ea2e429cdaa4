"""The options that select agents: whose settings file is changed, and whose transcripts are read."""

import os
from collections.abc import Callable, Sequence
from typing import TypeVar

import click

from lessons.agents import installed
from lessons.agents.installation import Installed, Request
from lessons.agents.table import AGENTS, DEFAULT_AGENT
from lessons.errors import LessonsError

Function = TypeVar("Function", bound=Callable[..., object])
ALL = "all"


def _of_one_agent(context: click.Context, _: click.Parameter, settings: str | None) -> str | None:
    if settings and context.params.get("agent") == ALL:
        raise click.UsageError("--settings goes with one agent: name it with --agent.")
    return settings


def agent_options(function: Function) -> Function:
    options = [
        click.option(
            "--agent",
            type=click.Choice([*AGENTS, ALL]),
            metavar="AGENT",
            is_eager=True,  # before --settings, which applies to one agent
            default=DEFAULT_AGENT,
            show_default=True,
            help=f"{', '.join(AGENTS)}, or all on this machine.",
        ),
        click.option(
            "--scope",
            type=click.Choice(installed.SCOPES),
            default="user",
            show_default=True,
            help="For all your projects, or this folder only.",
        ),
        click.option(
            "--settings",
            type=click.Path(dir_okay=False),
            callback=_of_one_agent,
            help="Use this settings file instead.",
        ),
        click.option(
            "--client-config", type=click.Path(dir_okay=False), help="Use this MCP server file of the agent instead."
        ),
        click.option("--dry-run", is_flag=True, help="Show the change, and change nothing."),
    ]
    for option in reversed(options):
        function = option(function)
    return function


whose_transcripts = click.option(
    "--agent",
    "agents",
    multiple=True,
    metavar="AGENT",
    help="Read the transcripts of this agent (repeatable).  [default: all]",
)


def requests_for(
    agents: Sequence[str], scope: str, settings: str | None, client_config: str | None, dry_run: bool
) -> list[Request]:
    """Returns one request per agent; a settings file given by the user is for the only agent."""
    files = [os.path.abspath(settings) if settings else installed.settings_file(agent, scope) for agent in agents]
    return [Request(agent, file, client_config, dry_run) for agent, file in zip(agents, files, strict=True)]


def json_document(agent: str, documents: list[dict[str, object]], refused: list[str]) -> dict[str, object]:
    """Returns what `--json` prints: one agent's document, or a list of all documents."""
    return {"agents": documents, "refused": refused} if agent == ALL else documents[0]


def each_done(requests: Sequence[Request], do: Callable[[Request], Installed]) -> tuple[list[Installed], list[str]]:
    """Returns what was done, and a sentence for each agent that refused.

    With several agents, one that refuses must not prevent the others.
    """
    done, refused = [], []
    for request in requests:
        try:
            done.append(do(request))
        except LessonsError as sentence:
            if len(requests) == 1:
                raise
            refused.append(f"{request.agent}: {sentence}")
    return done, refused
