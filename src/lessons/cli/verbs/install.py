"""`lessons install`: adds the hook to an agent's settings."""

import click

from lessons import paths
from lessons.agents.base import InstallReport as Report
from lessons.agents.table import installer_of, server_setup_of
from lessons.cli import render
from lessons.cli.home import data_home
from lessons.cli.options.agent import agent_options, settings_file
from lessons.cli.starter_offer import add_starter
from lessons.errors import LessonsError, Refused
from lessons.hook import bundle
from lessons.promote import starter
from lessons.promote.publish.publish import publish
from lessons.store import lesson_file


@click.command("install", short_help="Add the hook to an agent's settings")
@agent_options
@click.option("--warm", is_flag=True, help="Answer from a server of the session: faster at each call.")
@render.json_option
def command(
    agent: str,
    scope: str,
    settings: str | None,
    client_config: str | None,
    dry_run: bool,
    warm: bool,
    as_json: bool,
) -> None:
    """Add the hook to an agent's settings. Other hooks and settings stay as they are. Safe to run again.

    The command names this Python and this data home (LESSONS_HOME overrides it). After moving or
    upgrading Python run it again. A project's hook goes into settings.local.json, which is not shared.

    With --warm the agent starts a server with each session, which answers before each call; a command still answers
    whenever the server cannot. The server is added to the agent's own file. Without --warm it is removed again.
    """
    file = settings_file(agent, scope, settings)
    home = paths.data_home() if dry_run else data_home()
    report, server = _install(agent, file, home, client_config, dry_run, warm)
    render.warn(report.warnings)
    if not dry_run:
        bundle.refresh()
    ready = not dry_run and _built(home)
    document = {
        "agent": agent,
        "file": report.file,
        "changed": report.changed,
        "dryRun": dry_run,
        "backup": report.backup,
        "diff": report.diff if dry_run else None,
        "warm": warm,
        "clientConfig": server.document(dry_run) if server else None,
    }
    render.emit(as_json, document, lambda: _print(report, server, dry_run, warm))
    if ready and not as_json:
        _offer_starter(home)


def _install(
    agent: str, file: str, home: str, client_config: str | None, dry_run: bool, warm: bool
) -> tuple[Report, Report | None]:
    """What was done to the settings, and to the file in which the agent keeps its servers."""
    setup = server_setup_of(agent)
    if setup is None:
        if warm:
            raise Refused(f"--warm does not work with {agent}: run `lessons install` without it.")
        return installer_of(agent).install(file, home, dry_run), None
    if warm:
        setup.refuse_unless_possible()
    return setup.install_hook(file, home, client_config, dry_run, warm, render.warn)


def _print(report: Report, server: Report | None, dry_run: bool, warm: bool) -> None:
    changed = [each for each in (report, server) if each and each.changed]
    if not changed:
        click.echo(f"{report.file} already has the hook. Nothing to change.")
    elif dry_run:
        click.echo("".join(each.diff for each in changed), nl=False)
    else:
        click.echo(f"Added the hook to {report.file}. It works in every new session.")
        if server:
            where = f"added to {server.file}" if warm else f"removed from {server.file}"
            click.echo(f"Server {where}.")
        for each in changed:
            if each.backup:
                click.echo(f"Backup of the old file: {each.backup}")
        click.echo("Run `lessons doctor` to check it, `lessons uninstall` to remove it.")


def _built(home: str) -> bool:
    """Build the lessons; if they are damaged, the hook is still added and the last build stays in use."""
    try:
        publish(home)
    except LessonsError as damaged:
        render.warn([str(damaged)])
        return False
    return True


def _offer_starter(home: str) -> None:
    """Offer the starter pack to a person who has no lessons yet."""
    if lesson_file.read(home).names():
        return
    if not render.can_ask():
        render.note("No lessons yet. Run `lessons add --starter --yes` to import the starter pack.")
        return
    count = len(starter.missing(home))
    if click.confirm(f"\nYou have no lessons yet. Look at the {count} of the starter pack?", default=True):
        add_starter(home, [], yes=False, as_json=False)
