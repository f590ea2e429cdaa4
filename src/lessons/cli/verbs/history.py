"""`lessons history`: shows how large the history is, makes it smaller, and backs it up."""

import os
import sys
from datetime import UTC, datetime

import click
import msgspec

from lessons import config, paths
from lessons.cli import render
from lessons.cli.home import data_home
from lessons.cli.options import noun
from lessons.errors import LessonsError, NotFound, Refused
from lessons.hook import bundle
from lessons.promote.publish.build import publish
from lessons.scan import run
from lessons.store import exports
from lessons.store.history import backups, recovery
from lessons.store.history.backups import Backup
from lessons.store.history.history import History
from lessons.store.history.recovery import Restored
from lessons.store.running import scanning

_DEFAULT_DAYS = 90
_LARGE_FILE = 50_000_000
_ELSEWHERE = {verb: f"{verb}:command" for verb in ("backtest", "forget", "replay", "report", "watch")}


class Sizes(msgspec.Struct, rename="camel"):
    """The size of the history."""

    file: str
    bytes: int
    calls: int
    first: str
    last: str
    history_days: int
    compacted_at: str
    arguments_since: str  # older successful calls have lost theirs; empty if none have


@noun("history", "Show, replay, watch, back up or delete the history", _ELSEWHERE)
@render.json_option
def command(as_json: bool) -> None:
    """Show, replay, watch, back up or delete the history. Without a sub-verb: how large it is."""
    sizes = _sizes(paths.data_home())
    render.emit(as_json, msgspec.to_builtins(sizes), lambda: _print(sizes))


@command.command("compact")
@click.option(
    "--days",
    type=click.IntRange(1, 36_500),
    help=f"Compact calls older than this many days. Default: the setting historyDays, else {_DEFAULT_DAYS}.",
)
@click.option("--dry-run", is_flag=True, help="Show what would be dropped, and change nothing.")
@render.json_option
def compact(days: int | None, dry_run: bool, as_json: bool) -> None:
    """Drop the arguments of old successful calls.

    Commands, paths, outcomes, failures with their fixes, and everything that lessons and candidates rest on stay.
    Triggers on file contents, or on arguments of other tools, are then back-tested on newer calls only. Set
    historyDays to let scans do this once a day; run this verb to give the space back to the disk.
    """
    home = paths.data_home()
    _need_history(home)
    now = datetime.now(UTC)
    before = run.cutoff(days or config.load(home).history_days or _DEFAULT_DAYS, now)
    unreturned: list[str] = []
    with scanning(home, 10), History.opened(home) as history:
        size, old = history.compaction.size(), history.compaction.survey(before)
        if not dry_run and old.calls:
            run.compact(history, before, now)
        if not dry_run:
            unreturned = run.return_space(history)
        after = history.compaction.size()
    document = {"calls": old.calls, "characters": old.characters, "bytesBefore": size, "bytesAfter": after}
    render.emit(as_json, document, lambda: _tell(old.calls, old.characters, size, after, dry_run))
    render.warn(unreturned)


def _tell(calls: int, characters: int, size: int, after: int, dry_run: bool) -> None:
    if not calls and after < size:
        render.say(f"Gave free space back: history.db {size / 1e6:,.1f} MB → {after / 1e6:,.1f} MB.")
    elif not calls:
        render.say("Nothing to compact: no old call has arguments that can be dropped.")
    elif dry_run:
        render.say(f"Would drop {characters / 1e6:,.1f} MB of arguments from {calls:,} calls. Nothing was changed.")
    elif after >= size:
        render.say(f"Compacted {calls:,} calls.")
    else:
        render.say(f"Compacted {calls:,} calls: history.db {size / 1e6:,.1f} MB → {after / 1e6:,.1f} MB.")


def _sizes(home: str) -> Sizes:
    _need_history(home)
    days = config.load(home).history_days
    with History.for_reading(home) as history:
        compaction = history.compaction
        size, calls, span = compaction.size(), history.calls.count(), history.calls.time_span()
        return Sizes(paths.history_file(home), size, calls, *span, days, compaction.last(), compaction.lost_before())


def _print(sizes: Sizes) -> None:
    per_call = f", {sizes.bytes / sizes.calls / 1e3:.1f} KB per call" if sizes.calls else ""
    rows = [
        ("file", sizes.file),
        ("size", f"{sizes.bytes / 1e6:,.1f} MB{per_call}"),
        ("calls", f"{sizes.calls:,}" + (f", {sizes.first[:10]} to {sizes.last[:10]}" if sizes.first else "")),
        ("keeps", _kept(sizes)),
        ("compacted", sizes.compacted_at or "never"),
    ]
    render.fields(rows)


def _kept(sizes: Sizes) -> str:
    if sizes.history_days:
        return f"arguments of successful calls for {sizes.history_days:,} days (setting historyDays)"
    if sizes.arguments_since:
        since = sizes.arguments_since[:10]
        return f"everything since {since}; of older successful calls, commands and paths only"
    return "everything (setting historyDays)"


def _need_history(home: str) -> None:
    if not os.path.exists(paths.history_file(home)):
        raise NotFound("No history yet. Run `lessons scan` first.")


def _complete(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[str]:
    return [each.name for each in backups.listing(paths.data_home()) if each.name.startswith(incomplete)]


@noun("backup", "List, create or restore backups")
@render.json_option
def backup(as_json: bool) -> None:
    """List, create or restore backups of the history and the lessons. Without a sub-command, lists them.

    A scan makes a backup once a day. The last 14 are kept, in the folder `backups` of the data home.
    """
    click.get_current_context().invoke(list_all, as_json=as_json)


command.add_command(backup)


@backup.command("create")
@render.json_option
def create(as_json: bool) -> None:
    """Back up the history, the lessons, the settings and the decisions. A scan may run meanwhile."""
    home = data_home()
    _note_size(paths.history_file(home), "Copying", as_json)
    made = backups.create(home)
    where = backups.folder_of(home, made.name)
    render.emit(as_json, _document(home, made), lambda: render.say(f"Created backup {made.name}: {where}"))
    render.warn(_damage(home, made))


@backup.command("list")
@render.json_option
def list_all(as_json: bool) -> None:
    """List the backups, newest first."""
    home = paths.data_home()
    found = backups.listing(home)[::-1]
    rows = [
        (each.name, render.size(backups.size_of(home, each.name)), f"{each.calls:,}", _made(each)) for each in found
    ]
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


@backup.command("restore")
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
    chosen = recovery.check(home, name or recovery.latest(home))
    if not yes:
        if as_json or not render.can_ask():
            raise Refused(f"{chosen.name} would replace the history and the lessons. Add --yes to do so.")
        if not click.confirm(f"Replace the history and the lessons with those of {chosen.name}?"):
            render.note("Nothing was changed.")
            return
    _note_size(backups.history_of(home, chosen.name), "Restoring", as_json)
    done = recovery.restore(home, chosen.name)
    exports.remove_candidates(home)
    try:
        render.warn(publish(home).warnings)
        bundle.refresh()
    except LessonsError as wrong:
        render.warn([str(wrong)])
    about = {"before": done.before.name, "missing": done.missing, "aside": done.aside or None}
    document = {"restored": chosen.name, "files": done.files, **about}
    render.emit(as_json, document, lambda: _print_restored(done))


def _print_restored(done: Restored) -> None:
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
        render.note(f"{doing} {render.size(size)} …")
