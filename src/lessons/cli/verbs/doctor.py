"""`lessons doctor`: prints the result of every check."""

import os
import sys

import click

from lessons import paths
from lessons.agents.base import Check
from lessons.agents.table import AGENTS
from lessons.cli import render
from lessons.doctor.run import each_check


@click.command("doctor", short_help="Check the installation and say what to fix")
@click.option("--agent", type=click.Choice([*AGENTS]), help="Check only the hook of this agent.")
@click.option("--settings", type=click.Path(dir_okay=False), help="Check this settings file of the agent.")
@click.option("--client-config", type=click.Path(dir_okay=False), help="Check this MCP server file of the agent.")
@click.option("--verbose", "-v", is_flag=True, help="Print the checks that passed, too.")
@render.json_option
def command(agent: str | None, settings: str | None, client_config: str | None, verbose: bool) -> int:
    """Check the installation and say what to fix: problems first. Exit code 1 if something is wrong.

    It runs the installed hook command on a sample call, with a temporary data home, but only if the command is exactly
    what this version writes.
    """
    files = [os.path.abspath(file) if file else None for file in (settings, client_config)]
    checks = [*each_check(paths.data_home(), agent, *files)]
    problems = [check for check in checks if not check.ok]
    document = {"ok": not problems, "checks": [check._asdict() for check in checks]}
    render.emit(document, lambda: _print(problems, [check for check in checks if check.ok], verbose))
    return 1 if problems else 0


def _print(problems: list[Check], passed: list[Check], verbose: bool) -> None:
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
