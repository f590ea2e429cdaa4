"""`lessons install` adds the hook to an agent's settings, or removes it; `lessons doctor` checks the installation."""

import os
import shlex
import sys
from collections.abc import Callable, Sequence

import click

from lessons import paths
from lessons.agents.base import Check
from lessons.agents.found import found_agents, has_hook
from lessons.agents.install import Installed, Request, install, uninstall
from lessons.agents.places import SCOPES, changeable_file, settings_file
from lessons.agents.table import AGENTS, DEFAULT_AGENT, server_setup_of
from lessons.cli import render
from lessons.cli.options import data_home
from lessons.doctor.run import each_check
from lessons.errors import LessonsError, NotFound
from lessons.hook import bundle
from lessons.promote.publish.build import publish
from lessons.store import lesson_file

_ALL = "all"


def _of_one_agent(context: click.Context, _: click.Parameter, settings: str | None) -> str | None:
    if settings and context.params.get("agent") == _ALL:
        raise click.UsageError("--settings goes with one agent: name it with --agent.")
    return settings


@click.command("install", short_help="Add the hook to an agent's settings")
@click.option(
    "--agent",
    type=click.Choice([*AGENTS, _ALL]),
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
    agent: str, scope: str, settings: str | None, client_config: str | None, dry_run: bool, remove: bool, warm: bool
) -> int:
    """Add the hook to an agent's settings. Other hooks and settings stay as they are. Safe to run again.

    With --agent all it is added to every agent on this machine. If an agent also runs the hooks of another one, only
    its own hook answers, so that nothing is shown twice.

    The command names this Python and this data home, and follows no LESSONS_HOME of a project. Run it again after
    moving or upgrading Python. A project's hook goes into settings.local.json, which is not shared.

    With --warm the agent starts a server with each session, which answers faster. The command is the fallback if the
    server does not answer. The server is added to the agent's own file; installing without --warm removes it.

    With --remove the hook is removed, with --agent all from the settings of every agent. It prints where your data is
    and how to delete it.
    """
    if remove and warm:
        raise click.UsageError("Use --remove or --warm, not both.")
    agents = [agent]
    if agent == _ALL:
        agents = [*AGENTS] if remove else [each.agent for each in found_agents()]
    if not agents:
        raise NotFound("No agent found on this machine: name yours with --agent.")
    files = [os.path.abspath(settings) if settings else changeable_file(each, scope) for each in agents]
    requests = [Request(*pair, client_config, dry_run) for pair in zip(agents, files, strict=True)]
    home = paths.data_home() if dry_run or remove else data_home()

    def add(request: Request) -> Installed:
        # With --agent all, those that can have a server get one.
        is_warm = warm and (agent != _ALL or server_setup_of(request.agent) is not None)
        return install(request, home, is_warm, render.warn)

    def take_out(request: Request) -> Installed:
        return uninstall(request, render.warn)

    done, refused = _each_done(requests, take_out if remove else add)
    render.warn([*refused, *(warning for each in done for warning in each.report.warnings if not remove)])
    documents: list[dict[str, object]] = []
    for each in done:
        about: dict[str, object] = {"dataHome": home}
        if not remove:
            about = {
                "backup": each.report.backup,
                "nextSteps": list(each.report.next_steps),
                "warm": warm and each.server is not None,
            }
        documents.append({**each.document(dry_run), **about})
    document: dict[str, object] = {"agents": documents, "refused": refused} if agent == _ALL else documents[0]
    if remove:
        document["left"] = left = [] if settings else _left_in_others(agents, scope)
        render.emit(document, lambda: _print_removed(done, dry_run, home, left))
        return 1 if refused else 0
    is_built = False
    if not dry_run:
        bundle.refresh()
        try:
            publish(home)
            is_built = True
        except LessonsError as damaged:  # the hook is added, and the last build stays in use
            render.warn([str(damaged)])
    render.emit(document, lambda: _print_added(done, dry_run, warm))
    if is_built and not render.is_json() and not lesson_file.read(home).names():
        render.note("No lessons yet. Run `lessons init` to make some, or `lessons add --starter`.")
    return 1 if refused else 0


def _each_done(requests: Sequence[Request], do: Callable[[Request], Installed]) -> tuple[list[Installed], list[str]]:
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


def _print_added(done: list[Installed], dry_run: bool, warm: bool) -> None:
    for each in done:
        report = each.report
        if each.changed and dry_run:
            click.echo("".join(change.diff for change in each.changed), nl=False)
            continue
        if each.changed:
            when = "" if report.next_steps else " It works in every new session."
            click.echo(f"Added the hook to {report.file}.{when}")
        else:
            click.echo(f"{report.file} already has the hook. Nothing to change.")
        for step in report.next_steps:
            click.echo(f"Next: {step}")
        if each.changed and each.server:
            click.echo(f"Server {'added to' if warm else 'removed from'} {each.server.file}.")
        for change in each.changed:
            if change.backup:
                click.echo(f"Backup of the old file: {change.backup}")
    if not dry_run and any(each.changed for each in done):
        click.echo("Run `lessons doctor` to check it, `lessons install --remove` to remove it.")


def _left_in_others(agents: Sequence[str], scope: str) -> list[dict[str, str]]:
    """Returns the settings of other agents that have the hook."""
    files = ((each, settings_file(each, scope)) for each in AGENTS if each not in agents)
    return [{"agent": agent, "file": file} for agent, file in files if has_hook(agent, file)]


def _print_removed(done: list[Installed], dry_run: bool, home: str, left: Sequence[dict[str, str]]) -> None:
    changed = [each for each in done if each.changed]
    for each in changed or done:
        if not each.changed:
            click.echo(f"{each.report.file} has no hook of lessons. Nothing to change.")
        elif dry_run:
            click.echo("".join(change.diff for change in each.changed), nl=False)
        else:
            for change in each.changed:
                click.echo(f"Removed the {'hook' if change is each.report else 'server'} from {change.file}.")
    if left:
        titles = ", ".join(f"{AGENTS[each['agent']].title} ({each['file']})" for each in left)
        render.say(f"The hook is still in {titles}. `lessons uninstall --agent all` removes it from every agent.")
    if changed and not dry_run and os.path.isdir(home):
        remove = f'rmdir /s "{home}"' if os.name == "nt" else f"rm -r {shlex.quote(home)}"
        render.say(f"Your lessons and the history stay in {home}. To delete all of it, run: {remove}")


@click.command("doctor", short_help="Check the installation and say what to fix")
@click.option("--agent", type=click.Choice([*AGENTS]), help="Check only the hook of this agent.")
@click.option("--settings", type=click.Path(dir_okay=False), help="Check this settings file of the agent.")
@click.option("--client-config", type=click.Path(dir_okay=False), help="Check this MCP server file of the agent.")
@click.option("--verbose", "-v", is_flag=True, help="Print the checks that passed, too.")
@render.json_option
def doctor(agent: str | None, settings: str | None, client_config: str | None, verbose: bool) -> int:
    """Check the installation and say what to fix: problems first. Exit code 1 if something is wrong.

    It runs the installed hook doctor on a sample call, with a temporary data home, but only if the doctor is exactly
    what this version writes.
    """
    files = [os.path.abspath(file) if file else None for file in (settings, client_config)]
    checks = [*each_check(paths.data_home(), agent, *files)]
    problems = [check for check in checks if not check.ok]
    document = {"ok": not problems, "checks": [check._asdict() for check in checks]}
    render.emit(document, lambda: _print_checks(problems, [check for check in checks if check.ok], verbose))
    return 1 if problems else 0


def _print_checks(problems: list[Check], passed: list[Check], verbose: bool) -> None:
    noted = [check for check in passed if check.fix and not verbose]
    for check in (*problems, *noted):
        _print_check(check)
    if problems or noted:
        click.echo()
    found = f"{render.many(len(problems), 'problem')} found" if problems else "No problems found"
    if not verbose:
        click.echo(f"{found}; {render.many(len(passed), 'check')} passed (-v lists them).")
        return
    for check in passed:
        _print_check(check)
    click.echo(f"\n{found}.")


def _print_check(check: Check) -> None:
    """A check that passed and has advice is a note."""
    mark = click.style("note" if check.fix else "ok  ", fg="green")
    if not check.ok:
        mark = click.style("FAIL", fg="red", bold=True)
    text = render.folded(f"      {render.printable(f'{check.name}: {check.detail}')}", sys.stdout)
    click.echo(f"{mark}  {text[6:]}")
    if check.fix:
        render.say(f"      → {check.fix}", hanging=2)
