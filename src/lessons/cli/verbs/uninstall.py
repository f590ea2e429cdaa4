"""`lessons uninstall`: removes the hook from an agent's settings."""

import os
import shlex

import click

from lessons import paths
from lessons.agents.base import InstallReport
from lessons.agents.table import installer_of, server_setup_of
from lessons.cli import render
from lessons.cli.options.agent import agent_options, settings_file


@click.command("uninstall", short_help="Remove the hook from an agent's settings")
@agent_options
@render.json_option
def command(
    agent: str, scope: str, settings: str | None, client_config: str | None, dry_run: bool, as_json: bool
) -> None:
    """Remove the hook from an agent's settings. Lessons and all other data are kept.

    It says where they are and how to delete them.
    """
    report = installer_of(agent).uninstall(settings_file(agent, scope, settings), dry_run)
    setup = server_setup_of(agent)
    server = setup.unregister(client_config, report.file, dry_run, render.warn) if setup else None
    document = {
        "agent": agent,
        "file": report.file,
        "changed": report.changed,
        "dryRun": dry_run,
        "diff": report.diff if dry_run else None,
        "clientConfig": server.document(dry_run) if server else None,
        "dataHome": paths.data_home(),
    }
    render.emit(as_json, document, lambda: _print(report, server, dry_run))


def _print(report: InstallReport, server: InstallReport | None, dry_run: bool) -> None:
    changed = [each for each in (report, server) if each and each.changed]
    if not changed:
        click.echo(f"{report.file} has no hook of lessons. Nothing to change.")
    elif dry_run:
        click.echo("".join(each.diff for each in changed), nl=False)
    else:
        for each in changed:
            click.echo(f"Removed the {'hook' if each is report else 'server'} from {each.file}.")
        _tell_of_data(paths.data_home())


def _tell_of_data(home: str) -> None:
    if os.path.isdir(home):
        remove = f'rmdir /s "{home}"' if os.name == "nt" else f"rm -r {shlex.quote(home)}"
        render.say(f"Your lessons and the history stay in {home}. To delete all of it, run: {remove}")
