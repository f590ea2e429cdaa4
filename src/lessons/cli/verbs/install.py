"""`lessons install` and `lessons uninstall`: adds the hook to an agent's settings, or removes it."""

import os
import shlex
from collections.abc import Callable, Sequence

import click

from lessons import paths
from lessons.agents.base import InstallReport
from lessons.agents.found import found_agents
from lessons.agents.install import Installed, Request, install, uninstall
from lessons.agents.places import SCOPES, settings_file
from lessons.agents.table import AGENTS, DEFAULT_AGENT, server_setup_of
from lessons.cli import render
from lessons.cli.home import data_home
from lessons.cli.starter_offer import add_starter
from lessons.errors import LessonsError, NotFound
from lessons.hook import bundle
from lessons.promote import starter
from lessons.promote.publish.build import publish
from lessons.store import lesson_file

ALL = "all"


def _of_one_agent(context: click.Context, _: click.Parameter, settings: str | None) -> str | None:
    if settings and context.params.get("agent") == ALL:
        raise click.UsageError("--settings goes with one agent: name it with --agent.")
    return settings


def requests_for(
    agents: Sequence[str], scope: str, settings: str | None, client_config: str | None, dry_run: bool
) -> list[Request]:
    """Returns one request per agent; a settings file given by the user is for the only agent."""
    files = [os.path.abspath(settings) if settings else settings_file(agent, scope) for agent in agents]
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


@click.command("install", short_help="Add the hook to an agent's settings")
@click.option(
    "--agent",
    type=click.Choice([*AGENTS, ALL]),
    metavar="AGENT",
    is_eager=True,  # before --settings, which applies to one agent
    default=DEFAULT_AGENT,
    show_default=True,
    help=f"{', '.join(AGENTS)}, or all on this machine.",
)
@click.option(
    "--scope",
    type=click.Choice(SCOPES),
    default="user",
    show_default=True,
    help="For all your projects, or this folder only.",
)
@click.option(
    "--settings", type=click.Path(dir_okay=False), callback=_of_one_agent, help="Use this settings file instead."
)
@click.option("--client-config", type=click.Path(dir_okay=False), help="Use this MCP server file of the agent instead.")
@click.option("--dry-run", is_flag=True, help="Show the change, and change nothing.")
@click.option("--remove", is_flag=True, help="Remove the hook. Lessons and all other data are kept.")
@click.option("--warm", is_flag=True, help="Answer from a server that runs with the session: faster.")
@render.json_option
def command(
    agent: str,
    scope: str,
    settings: str | None,
    client_config: str | None,
    dry_run: bool,
    remove: bool,
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

    With --remove the hook is removed, with --agent all from the settings of every agent. It prints where your data is
    and how to delete it.
    """
    if remove:
        if warm:
            raise click.UsageError("Use --remove or --warm, not both.")
        requests = requests_for([*AGENTS] if agent == ALL else [agent], scope, settings, client_config, dry_run)
        return _remove(requests, agent, dry_run, as_json)
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
        click.echo("Run `lessons doctor` to check it, `lessons install --remove` to remove it.")


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


def _remove(requests: Sequence[Request], agent: str, dry_run: bool, as_json: bool) -> int:
    done, refused = each_done(requests, lambda request: uninstall(request, render.warn))
    home = paths.data_home()
    document = json_document(agent, [{**each.document(dry_run), "dataHome": home} for each in done], refused)
    render.warn(refused)
    render.emit(as_json, document, lambda: _print_all_removed(done, dry_run))
    return 1 if refused else 0


def _print_all_removed(done: list[Installed], dry_run: bool) -> None:
    changed = [each for each in done if each.changed]
    for each in changed or done:
        _print_removed(each, dry_run)
    if changed and not dry_run:
        _tell_of_data(paths.data_home())


def _print_removed(done: Installed, dry_run: bool) -> None:
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
