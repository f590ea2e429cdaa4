"""`lessons install`: adds the hook to an agent's settings."""

import click

from lessons import paths
from lessons.agents.base import InstallReport as Report
from lessons.agents.table import installer_of, server_setup_of
from lessons.cli import render
from lessons.cli.options.agent import agent_options, settings_file
from lessons.cli.starter_offer import add_starter
from lessons.cli.verbs.home import data_home
from lessons.errors import LessonsError, Refused
from lessons.hook import bundle
from lessons.promote import starter
from lessons.promote.publish.publish import publish
from lessons.store import lesson_file


@click.command("install", short_help="Put the hook into an agent's settings")
@agent_options
@click.option("--warm", is_flag=True, help="Let a server of the session answer, which costs less time at each call.")
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
    """Put the hook into an agent's settings. Other hooks and settings are left as they are; twice is as good as once.

    The command that is written names this Python and this data home (LESSONS_HOME wins over it). After moving or
    upgrading Python run it again. A project's hook goes into settings.local.json, which is not shared.

    With --warm the agent starts a server with each session, which answers before each call; a command still answers
    whenever the server cannot. The server is named in the agent's own file. Without --warm it is taken out again.
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
        click.echo(f"{report.file} has the hook already: nothing to change.")
    elif dry_run:
        click.echo("".join(each.diff for each in changed), nl=False)
    else:
        click.echo(f"The hook is in {report.file}: it acts in every session that starts from now on.")
        if server:
            where = f"is named in {server.file}" if warm else f"is out of {server.file}"
            click.echo(f"Its server {where}.")
        for each in changed:
            if each.backup:
                click.echo(f"The file as it was: {each.backup}")
        click.echo("`lessons doctor` checks that it works, `lessons uninstall` takes it out again.")


def _built(home: str) -> bool:
    """The hook goes in whatever state the lessons are in: until they are put right the last build goes on acting."""
    try:
        publish(home)
    except LessonsError as damaged:
        render.warn([str(damaged)])
        return False
    return True


def _offer_starter(home: str) -> None:
    """Offered once, to a person who has no lessons yet; never forced."""
    if lesson_file.read(home).names():
        return
    if not render.can_ask():
        render.note("There are no lessons yet: `lessons add --starter --yes` takes over the starter pack.")
        return
    count = len(starter.missing(home))
    if click.confirm(f"\nYou have no lessons yet. Look at the {count} of the starter pack?", default=True):
        add_starter(home, yes=False, as_json=False)
