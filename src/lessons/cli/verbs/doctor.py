"""`lessons doctor`: prints the result of every check."""

import os
from collections.abc import Iterator

import click

from lessons import paths
from lessons.agents.table import AGENTS
from lessons.check import Check
from lessons.cli import render
from lessons.doctor import data, history, hook


@click.command("doctor", short_help="Check that everything works, and say what to do")
@click.option("--agent", type=click.Choice([*AGENTS]), help="Look at this agent's hook alone.")
@click.option("--settings", type=click.Path(dir_okay=False), help="Look at this settings file of the agent.")
@click.option("--client-config", type=click.Path(dir_okay=False), help="Look at this file of the agent's servers.")
@render.json_option
def command(agent: str | None, settings: str | None, client_config: str | None, as_json: bool) -> int:
    """Check that everything works, and say what to do where it does not. Exit code 1 if something is wrong.

    The hook is tried for real: the command in the settings file is run with a made-up call and a data home of its
    own, but only if it is exactly what this version would have written.
    """
    checks = []
    for check in _checks(agent, settings, client_config):
        checks.append(check)
        if not as_json:
            _print(check)
    ok = all(check.ok for check in checks)
    document = {"ok": ok, "checks": [check._asdict() for check in checks]}
    render.emit(as_json, document, lambda: click.echo("\n" + ("All is well." if ok else "Something needs a hand.")))
    return 0 if ok else 1


def _checks(agent: str | None, settings: str | None, client_config: str | None) -> Iterator[Check]:
    home = paths.data_home()
    yield from data.checks(home)
    yield from history.checks(home)
    files = [os.path.abspath(file) if file else None for file in (settings, client_config)]
    yield from hook.checks(home, agent, *files)


def _print(check: Check) -> None:
    mark = click.style("ok  ", fg="green") if check.ok else click.style("FAIL", fg="red", bold=True)
    click.echo(f"{mark}  {check.name}: {render.printable(check.detail)}")
    if check.fix and not check.ok:
        click.echo(f"      → {check.fix}")
