"""`lessons install`: adds the hook to an agent's settings."""

import click

from lessons import paths
from lessons.agents.base import InstallReport
from lessons.agents.found import found_agents
from lessons.agents.installation import Installed, Request, install
from lessons.agents.table import server_setup_of
from lessons.cli import render
from lessons.cli.home import data_home
from lessons.cli.options.agent import ALL, agent_options, each_done, json_document, requests_for
from lessons.cli.starter_offer import add_starter
from lessons.errors import LessonsError, NotFound
from lessons.hook import bundle
from lessons.promote import starter
from lessons.promote.publish.publish import publish
from lessons.store import lesson_file


@click.command("install", short_help="Add the hook to an agent's settings")
@agent_options
@click.option("--warm", is_flag=True, help="Answer from a server that runs with the session: faster.")
@render.json_option
def command(
    agent: str,
    scope: str,
    settings: str | None,
    client_config: str | None,
    dry_run: bool,
    warm: bool,
    as_json: bool,
) -> int:
    """Add the hook to an agent's settings. Other hooks and settings stay as they are. Safe to run again.

    With --agent all it is added to every agent on this machine. If an agent also runs the hooks of another one, only
    its own hook answers, so that nothing is shown twice.

    The command names this Python and this data home (LESSONS_HOME overrides it). Run it again after moving or
    upgrading Python. A project's hook goes into settings.local.json, which is not shared.

    With --warm the agent starts a server with each session, which answers faster. The command is the fallback if the
    server does not answer. The server is added to the agent's own file; installing without --warm removes it.
    """
    requests = requests_for(_agents(agent), scope, settings, client_config, dry_run)
    home = paths.data_home() if dry_run else data_home()

    def put(request: Request) -> Installed:
        # With --agent all, those that can have a server get one.
        is_warm = warm and (agent != ALL or server_setup_of(request.agent) is not None)
        return install(request, home, is_warm, render.warn)

    done, refused = each_done(requests, put)
    render.warn([*refused, *(warning for each in done for warning in each.report.warnings)])
    if not dry_run:
        bundle.refresh()
    ready = not dry_run and _built(home)
    document = json_document(agent, [_document(each, dry_run, warm) for each in done], refused)
    render.emit(as_json, document, lambda: _print_all(done, dry_run, warm))
    if ready and not as_json:
        _offer_starter(home)
    return 1 if refused else 0


def _agents(chosen: str) -> list[str]:
    if chosen != ALL:
        return [chosen]
    if found := [each.agent for each in found_agents()]:
        return found
    raise NotFound("No agent found on this machine: name yours with --agent.")


def _document(each: Installed, dry_run: bool, warm: bool) -> dict[str, object]:
    return {
        **each.document(dry_run),
        "backup": each.report.backup,
        "nextSteps": list(each.report.next_steps),
        "warm": warm and each.server is not None,
    }


def _print_all(done: list[Installed], dry_run: bool, warm: bool) -> None:
    for each in done:
        _print(each, dry_run, warm)
    if not dry_run and any(each.changed for each in done):
        click.echo("Run `lessons doctor` to check it, `lessons uninstall` to remove it.")


def _print(done: Installed, dry_run: bool, warm: bool) -> None:
    report, server = done.report, done.server
    if not done.changed:
        click.echo(f"{report.file} already has the hook. Nothing to change.")
        _print_steps(report)
    elif dry_run:
        click.echo("".join(each.diff for each in done.changed), nl=False)
    else:
        when = "" if report.next_steps else " It works in every new session."
        click.echo(f"Added the hook to {report.file}.{when}")
        _print_steps(report)
        if server:
            where = f"added to {server.file}" if warm else f"removed from {server.file}"
            click.echo(f"Server {where}.")
        for each in done.changed:
            if each.backup:
                click.echo(f"Backup of the old file: {each.backup}")


def _print_steps(report: InstallReport) -> None:
    for step in report.next_steps:
        click.echo(f"Next: {step}")


def _built(home: str) -> bool:
    """Builds the lessons; if they are damaged, the hook is still added and the last build stays in use."""
    try:
        publish(home)
    except LessonsError as damaged:
        render.warn([str(damaged)])
        return False
    return True


def _offer_starter(home: str) -> None:
    """Offers the starter pack to a user who has no lessons yet."""
    if lesson_file.read(home).names():
        return
    if not render.can_ask():
        render.note("No lessons yet. Run `lessons add --starter --yes` to import the starter pack.")
        return
    count = len(starter.missing(home))
    if click.confirm(f"\nYou have no lessons yet. Review the {count} of the starter pack?", default=True):
        add_starter(home, [], yes=False, as_json=False)
