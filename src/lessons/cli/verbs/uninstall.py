"""`lessons uninstall`: removes the hook from an agent's settings."""

import os
import shlex

import click

from lessons import paths
from lessons.agents.installation import Installed, uninstall
from lessons.agents.table import AGENTS
from lessons.cli import render
from lessons.cli.options.agent import ALL, agent_options, each_done, json_document, requests_for


@click.command("uninstall", short_help="Remove the hook from an agent's settings")
@agent_options
@render.json_option
def command(
    agent: str, scope: str, settings: str | None, client_config: str | None, dry_run: bool, as_json: bool
) -> int:
    """Remove the hook from an agent's settings. Lessons and all other data are kept.

    With --agent all it is removed from the settings of every agent. It prints where your data is and how to delete it.
    """
    agents = [*AGENTS] if agent == ALL else [agent]
    requests = requests_for(agents, scope, settings, client_config, dry_run)
    done, refused = each_done(requests, lambda request: uninstall(request, render.warn))
    home = paths.data_home()
    document = json_document(agent, [{**each.document(dry_run), "dataHome": home} for each in done], refused)
    render.warn(refused)
    render.emit(as_json, document, lambda: _print_all(done, dry_run))
    return 1 if refused else 0


def _print_all(done: list[Installed], dry_run: bool) -> None:
    changed = [each for each in done if each.changed]
    for each in changed or done:
        _print(each, dry_run)
    if changed and not dry_run:
        _tell_of_data(paths.data_home())


def _print(done: Installed, dry_run: bool) -> None:
    if not done.changed:
        click.echo(f"{done.report.file} has no hook of lessons. Nothing to change.")
    elif dry_run:
        click.echo("".join(each.diff for each in done.changed), nl=False)
    else:
        for each in done.changed:
            click.echo(f"Removed the {'hook' if each is done.report else 'server'} from {each.file}.")


def _tell_of_data(home: str) -> None:
    if os.path.isdir(home):
        remove = f'rmdir /s "{home}"' if os.name == "nt" else f"rm -r {shlex.quote(home)}"
        render.say(f"Your lessons and the history stay in {home}. To delete all of it, run: {remove}")
