"""`lessons doctor`: prints the result of every check."""

import os

import click

from lessons import paths
from lessons.agents.table import AGENTS
from lessons.check import Check
from lessons.cli import render
from lessons.cli.candidate_text import many
from lessons.doctor.run import each_check


@click.command("doctor", short_help="Check the installation and say what to fix")
@click.option("--agent", type=click.Choice([*AGENTS]), help="Check only the hook of this agent.")
@click.option("--settings", type=click.Path(dir_okay=False), help="Check this settings file of the agent.")
@click.option("--client-config", type=click.Path(dir_okay=False), help="Check this file of the agent's servers.")
@click.option("--verbose", "-v", is_flag=True, help="Show every check, those that pass too.")
@render.json_option
def command(agent: str | None, settings: str | None, client_config: str | None, verbose: bool, as_json: bool) -> int:
    """Check the installation and say what to fix. Exit code 1 if something is wrong.

    The hook is really run: the command in the settings file gets a made-up call and a data home of its
    own, but only if it is exactly what this version would have written.
    """
    checks = []
    files = [os.path.abspath(file) if file else None for file in (settings, client_config)]
    for check in each_check(paths.data_home(), agent, *files):
        checks.append(check)
    problems = sum(not check.ok for check in checks)
    document = {"ok": not problems, "checks": [check._asdict() for check in checks]}
    found = f"{many(problems, 'problem')} found." if problems else "No problems found."
    render.emit(as_json, document, lambda: _print_all(checks, verbose, found))
    return 1 if problems else 0


def _print_all(checks: list[Check], verbose: bool, found: str) -> None:
    """Problems first; what is fine by its name alone, unless all of it is asked for."""
    fine = [check for check in checks if check.ok]
    for check in checks:
        if not check.ok:
            _print(check)
    if verbose:
        for check in fine:
            _print(check)
    elif fine:
        names = ", ".join(dict.fromkeys(check.name for check in fine))
        mark = click.style("ok  ", fg="green")
        render.say(f"{mark}  {len(fine)} checks: {names} (--verbose shows each)")
    click.echo(f"\n{found}")


def _print(check: Check) -> None:
    mark = click.style("ok  ", fg="green") if check.ok else click.style("FAIL", fg="red", bold=True)
    click.echo(f"{mark}  {render.printable(f'{check.name}: {check.detail}')}")
    if check.fix and not check.ok:
        render.say(f"      → {check.fix}")
