"""`lessons backup`: creates, lists and restores backups of the data home."""

import os
import sys

import click
import msgspec

from lessons import paths
from lessons.cli import render
from lessons.cli.home import data_home
from lessons.errors import LessonsError, NotFound, Refused
from lessons.hook import bundle
from lessons.promote.publish.publish import publish
from lessons.store import candidates_file
from lessons.store.history import backups, restore
from lessons.store.history.backups import Backup
from lessons.store.history.restore import Restored

_LARGE_FILE = 50_000_000


def _complete(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:
    return [each.name for each in backups.listing(paths.data_home()) if each.name.startswith(incomplete)]


@click.group("backup", short_help="List, create or restore backups", invoke_without_command=True)
@render.json_option
@click.pass_context
def command(context: click.Context, as_json: bool) -> None:
    """List, create or restore backups of the history and the lessons. Without a sub-command, lists them.

    A scan makes a backup once a day. The last 14 are kept, in the folder `backups` of the data home.
    """
    if context.invoked_subcommand is None:
        context.invoke(list_all, as_json=as_json)
    elif as_json:
        raise click.UsageError(f"Write --json after {context.invoked_subcommand}.")


@command.command("create")
@render.json_option
def create(as_json: bool) -> None:
    """Back up the history, the lessons, the settings and the decisions. A scan may run meanwhile."""
    home = data_home()
    _note_size(paths.history_file(home), "Copying", as_json)
    made = backups.create(home)
    where = backups.folder_of(home, made.name)
    render.emit(as_json, _document(home, made), lambda: render.say(f"Created backup {made.name}: {where}"))
    render.warn(_damage(home, made))


@command.command("list")
@render.json_option
def list_all(as_json: bool) -> None:
    """List the backups, newest first."""
    home = paths.data_home()
    found = backups.listing(home)[::-1]
    rows = [(each.name, _size(backups.size_of(home, each.name)), f"{each.calls:,}", _made(each)) for each in found]
    empty = "No backup yet. Run `lessons backup create`."
    document = {"backups": [_document(home, each) for each in found]}
    render.emit(as_json, document, lambda: render.table(("backup", "size", "calls", "made"), rows, empty))


def _made(backup: Backup) -> str:
    return f"{backup.reason}, {' and '.join(backup.damaged)} damaged" if backup.damaged else backup.reason


def _damage(home: str, made: Backup) -> list[str]:
    if not made.damaged:
        return []
    what = f"{' and '.join(made.damaged)} {'is' if len(made.damaged) == 1 else 'are'} damaged, and so is the copy."
    whole = backups.newest_whole(home)
    fix = f"`lessons backup restore {whole.name}` restores the last good one" if whole else "Fix the file"
    return [f"{what} {fix}."]


@command.command("restore")
@click.argument("name", required=False, shell_complete=_complete)
@click.option("--latest", is_flag=True, help="The newest one.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@render.json_option
def put_back(name: str | None, latest: bool, yes: bool, as_json: bool) -> None:
    """Restore a backup. The present state is backed up first, so that this can be undone."""
    if bool(name) == latest:
        raise click.UsageError("Give the NAME of a backup, or --latest.")
    if not os.path.isdir(paths.data_home()):
        raise NotFound("No backup yet. Run `lessons backup create`.")
    home = data_home()
    chosen = restore.check(home, name or restore.latest(home))
    if not yes:
        if as_json or not render.can_ask():
            raise Refused(f"{chosen.name} would replace the history and the lessons. Add --yes to do so.")
        if not click.confirm(f"Replace the history and the lessons with those of {chosen.name}?"):
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
    about = {"before": done.before.name, "missing": done.missing, "aside": done.aside or None}
    document = {"restored": chosen.name, "files": done.files, **about}
    render.emit(as_json, document, lambda: _print(done))


def _print(done: Restored) -> None:
    render.say(f"Restored {', '.join(done.files)} from {done.backup.name}.")
    if done.missing:
        names = ", ".join(done.missing)
        render.say(f"Promoted since then, and not restored: {names}. `lessons undo` puts one back in review.")
    if done.aside:
        render.say(f"The damaged history is kept as {done.aside}.")
    render.say(f"`lessons backup restore {done.before.name}` undoes this; `lessons scan` reads newer transcripts.")


def _document(home: str, backup: Backup) -> dict[str, object]:
    about: dict[str, object] = msgspec.to_builtins(backup)
    files = sorted(about.pop("digests"))  # type: ignore[call-overload]
    history = [os.path.basename(paths.history_file(home))] if backup.tables else []
    where = backups.folder_of(home, backup.name)
    return {**about, "files": [*history, *files], "bytes": backups.size_of(home, backup.name), "folder": where}


def _note_size(path: str, doing: str, as_json: bool) -> None:
    """Prints a line before a large file is copied."""
    size = os.path.getsize(path) if os.path.exists(path) else 0
    if size >= _LARGE_FILE and not as_json and sys.stderr is not None and sys.stderr.isatty():
        render.note(f"{doing} {_size(size)} …")


def _size(number: int) -> str:
    return f"{number / 1e6:,.1f} MB" if number >= 100_000 else f"{number / 1e3:,.1f} KB"
