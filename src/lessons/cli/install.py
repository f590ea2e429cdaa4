"""`lessons install`: an agent's settings file in, the same file with the hook in it out."""

import click

from lessons import paths
from lessons.agents.claude_code import install
from lessons.cli import render
from lessons.cli.agent_options import agent_options, settings_file
from lessons.cli.home import data_home
from lessons.cli.starter_offer import add_starter
from lessons.errors import LessonsError
from lessons.hook import bundle
from lessons.promote import starter
from lessons.promote.publish import publish
from lessons.store import lesson_file


@click.command("install", short_help="Put the hook into an agent's settings")
@agent_options
@render.json_option
def command(agent: str, scope: str, settings: str | None, dry_run: bool, as_json: bool) -> None:
    """Put the hook into an agent's settings. Other hooks and settings are left as they are; twice is as good as once.

    The command that is written names this Python and this data home (LESSONS_HOME wins over it). After moving or
    upgrading Python run it again. A project's hook goes into settings.local.json, which is not shared.
    """
    file = settings_file(scope, settings)
    home = paths.data_home() if dry_run else data_home()
    report = install.install(file, home, dry_run=dry_run)
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
    }
    render.emit(as_json, document, lambda: _print(report, dry_run))
    if ready and not as_json:
        _offer_starter(home)


def _print(report: install.InstallReport, dry_run: bool) -> None:
    if not report.changed:
        click.echo(f"{report.file} has the hook already: nothing to change.")
    elif dry_run:
        click.echo(report.diff, nl=False)
    else:
        click.echo(f"The hook is in {report.file}: it acts in every session that starts from now on.")
        if report.backup:
            click.echo(f"The file as it was: {report.backup}")
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
