"""`lessons backup`: what to copy or to put back in, the backups of the data home out."""

import os
import sys

import click
import msgspec

from lessons import paths
from lessons.cli import render
from lessons.cli.verbs.home import data_home
from lessons.errors import LessonsError, NotFound, Refused
from lessons.hook import bundle
from lessons.promote.publish.publish import publish
from lessons.store import candidates_file
from lessons.store.history import backups, restore
from lessons.store.history.backups import Backup
from lessons.store.history.restore import Restored

_LARGE = 50_000_000


def _complete(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:
    return [each.name for each in backups.listing(paths.data_home()) if each.name.startswith(incomplete)]


@click.group("backup", short_help="Copy the history and the lessons, or put a copy back", invoke_without_command=True)
@render.json_option
@click.pass_context
def command(context: click.Context, as_json: bool) -> None:
    """Copy the history and the lessons, or put a copy back.

    A scan makes a backup by itself once a day. The last 14 are kept, in the folder `backups` of the data home.
    """
    if context.invoked_subcommand is None:
        context.invoke(list_all, as_json=as_json)
    elif as_json:
        raise click.UsageError(f"Write --json after {context.invoked_subcommand}.")


@command.command("create")
@render.json_option
def create(as_json: bool) -> None:
    """Copy the history, the lessons, the settings and the decisions; a scan may go on meanwhile."""
    home = data_home()
    _note_size(paths.history_file(home), "Copying", as_json)
    made = backups.create(home)
    where = backups.folder_of(home, made.name)
    render.emit(as_json, _document(home, made), lambda: render.say(f"{made.name} is made: {where}"))


@command.command("list")
@render.json_option
def list_all(as_json: bool) -> None:
    """Show the backups, the newest first."""
    home = paths.data_home()
    found = backups.listing(home)[::-1]
    rows = [(each.name, _size(backups.size_of(home, each.name)), f"{each.calls:,}", each.reason) for each in found]
    empty = "There is no backup yet: `lessons backup create` makes one."
    document = {"backups": [_document(home, each) for each in found]}
    render.emit(as_json, document, lambda: render.table(("backup", "size", "calls", "made"), rows, empty))


@command.command("restore")
@click.argument("name", required=False, shell_complete=_complete)
@click.option("--latest", is_flag=True, help="The newest one.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@render.json_option
def put_back(name: str | None, latest: bool, yes: bool, as_json: bool) -> None:
    """Put a backup back. What is there now is backed up first, so that this can be undone."""
    if bool(name) == latest:
        raise click.UsageError("Write the NAME of a backup, or --latest.")
    if not os.path.isdir(paths.data_home()):
        raise NotFound("There is no backup yet: `lessons backup create` makes one.")
    home = data_home()
    chosen = restore.check(home, name or restore.latest(home))
    if not yes:
        if as_json or not render.can_ask():
            raise Refused(f"{chosen.name} would replace the history and the lessons: say so with --yes.")
        if not click.confirm(f"Replace the history and the lessons by those of {chosen.name}?"):
            render.note("Nothing was changed.")
            return
    _note_size(backups.history_of(home, chosen.name), "Restoring", as_json)
    done = restore.restore(home, chosen.name)
    candidates_file.remove(home)
    try:
        render.warn(publish(home).warnings)
        bundle.refresh()
    except LessonsError as wrong:
        render.warn([str(wrong)])
    document = {"restored": chosen.name, "files": done.files, "before": done.before.name, "aside": done.aside or None}
    render.emit(as_json, document, lambda: _print(done))


def _print(done: Restored) -> None:
    render.say(f"{', '.join(done.files)} of {done.backup.name} {'are' if len(done.files) > 1 else 'is'} back.")
    if done.aside:
        render.say(f"The history until now was damaged and is kept as {done.aside}.")
    render.say(f"`lessons backup restore {done.before.name}` undoes it; `lessons scan` reads what came since.")


def _document(home: str, backup: Backup) -> dict[str, object]:
    about: dict[str, object] = msgspec.to_builtins(backup)
    files = sorted(about.pop("digests"))  # type: ignore[call-overload]
    history = [os.path.basename(paths.history_file(home))] if backup.tables else []
    where = backups.folder_of(home, backup.name)
    return {**about, "files": [*history, *files], "bytes": backups.size_of(home, backup.name), "folder": where}


def _note_size(path: str, doing: str, as_json: bool) -> None:
    """A file that takes its time: someone who watches is told."""
    size = os.path.getsize(path) if os.path.exists(path) else 0
    if size >= _LARGE and not as_json and sys.stderr is not None and sys.stderr.isatty():
        render.note(f"{doing} {_size(size)} …")


def _size(number: int) -> str:
    return f"{number / 1e6:,.1f} MB" if number >= 100_000 else f"{number / 1e3:,.1f} KB"
