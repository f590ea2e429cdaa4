"""`lessons history`: shows how large the history is, makes it smaller, and backs it up."""

import os
from datetime import UTC, datetime

import click
import msgspec

from lessons import config, paths
from lessons.cli import render
from lessons.cli.options import completer, data_home, noun
from lessons.errors import LessonsError, NotFound, Refused
from lessons.hook import bundle
from lessons.promote.publish.build import publish
from lessons.scan import run
from lessons.store import exports
from lessons.store.history import backups, recovery
from lessons.store.history.backups import Backup
from lessons.store.history.history import History
from lessons.store.running import scanning

_DEFAULT_DAYS = 90
_NO_BACKUP = "No backup yet. Run `lessons backup create`."
_ELSEWHERE = {verb: f"{verb}:command" for verb in ("backtest", "forget", "replay", "report", "watch")}


@noun("history", "Show, replay, watch, back up or delete the history", _ELSEWHERE)
@render.json_option
def command() -> None:
    """Show, replay, watch, back up or delete the history. Without a sub-verb: how large it is."""
    home = _home_with_history()
    days = config.load(home).history_days
    with History.for_reading(home) as history:
        compaction = history.compaction
        size, calls, (first, last) = compaction.size(), history.calls.count(), history.calls.time_span()
        compacted, lost_before = compaction.last(), compaction.lost_before()
    document = {
        "file": paths.history_file(home),
        "bytes": size,
        "calls": calls,
        "first": first,
        "last": last,
        "historyDays": days,
        "compactedAt": compacted,
        "argumentsSince": lost_before,  # older successful calls have lost theirs; empty if none have
    }
    holds = "everything (setting historyDays)"
    if days:
        holds = f"arguments of successful calls for {days:,} days (setting historyDays)"
    elif lost_before:
        holds = f"everything since {lost_before[:10]}; of older successful calls, commands and paths only"
    pairs = [
        ("file", document["file"]),
        ("size", f"{size / 1e6:,.1f} MB" + (f", {size / calls / 1e3:.1f} KB per call" if calls else "")),
        ("calls", f"{calls:,}" + (f", {first[:10]} to {last[:10]}" if first else "")),
        ("keeps", holds),
        ("compacted", compacted or "never"),
    ]
    render.emit(document, lambda: render.fields(pairs))


def _home_with_history() -> str:
    home = paths.data_home()
    if not os.path.exists(paths.history_file(home)):
        raise NotFound("No history yet. Run `lessons scan` first.")
    return home


@command.command("compact")
@click.option(
    "--days",
    type=click.IntRange(1, 36_500),
    help=f"Compact calls older than this many days. Default: the setting historyDays, else {_DEFAULT_DAYS}.",
)
@click.option("--dry-run", is_flag=True, help="Show what would be dropped, and change nothing.")
@render.json_option
def compact(days: int | None, dry_run: bool) -> None:
    """Drop the arguments of old successful calls.

    Commands, paths, outcomes, failures with their fixes, and everything that lessons and candidates rest on stay.
    Triggers on file contents, or on arguments of other tools, are then back-tested on newer calls only. Set
    historyDays to let scans do this once a day; run this verb to give the space back to the disk.
    """
    home = _home_with_history()
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
    smaller = f"history.db {size / 1e6:,.1f} MB → {after / 1e6:,.1f} MB."
    if not old.calls:
        done = "Nothing to compact: no old call has arguments that can be dropped."
        if after < size:
            done = f"Gave free space back: {smaller}"
    elif dry_run:
        megabytes = old.characters / 1e6
        done = f"Would drop {megabytes:,.1f} MB of arguments from {old.calls:,} calls. Nothing was changed."
    else:
        done = f"Compacted {old.calls:,} calls{f': {smaller}' if after < size else '.'}"
    document = {"calls": old.calls, "characters": old.characters, "bytesBefore": size, "bytesAfter": after}
    render.emit(document, lambda: render.say(done))
    render.warn(unreturned)


def _backups(home: str) -> list[str]:
    return [each.name for each in backups.listing(home)]


@noun("backup", "List, create or restore backups")
@render.json_option
def backup() -> None:
    """List, create or restore backups of the history and the lessons. Without a sub-command, lists them.

    A scan makes a backup once a day. The last 14 are kept, in the folder `backups` of the data home.
    """
    click.get_current_context().invoke(list_all)


command.add_command(backup)


@backup.command("create")
@render.json_option
def create() -> None:
    """Back up the history, the lessons, the settings and the decisions. A scan may run meanwhile."""
    home = data_home()
    made = backups.create(home)
    where = backups.folder_of(home, made.name)
    render.emit(_document(home, made), lambda: render.say(f"Created backup {made.name}: {where}"))
    if made.damaged:
        whole = backups.newest_whole(home)
        fix = f"`lessons backup restore {whole.name}` restores the last good one" if whole else "Fix the file"
        verb = "is" if len(made.damaged) == 1 else "are"
        render.warn([f"{' and '.join(made.damaged)} {verb} damaged, and so is the copy. {fix}."])


@backup.command("list")
@render.json_option
def list_all() -> None:
    """List the backups, newest first."""
    home = paths.data_home()
    found = backups.listing(home)[::-1]
    rows = []
    for each in found:
        damaged = f", {' and '.join(each.damaged)} damaged" if each.damaged else ""
        size = render.size(backups.size_of(home, each.name))
        rows.append((each.name, size, f"{each.calls:,}", each.reason + damaged))
    document = {"backups": [_document(home, each) for each in found]}
    columns = ("backup", "size", "calls", "made")
    render.emit(document, lambda: render.table(columns, rows, _NO_BACKUP))


@backup.command("restore")
@click.argument("name", required=False, shell_complete=completer(_backups))
@click.option("--latest", is_flag=True, help="The newest one.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@render.json_option
def put_back(name: str | None, latest: bool, yes: bool) -> None:
    """Restore a backup. The present state is backed up first, so that this can be undone."""
    if bool(name) == latest:
        raise click.UsageError("Give the NAME of a backup, or --latest.")
    if not os.path.isdir(paths.data_home()):
        raise NotFound(_NO_BACKUP)
    home = data_home()
    chosen = recovery.check(home, name or recovery.latest(home))
    if not yes:
        if not render.can_ask():
            raise Refused(f"{chosen.name} would replace the history and the lessons. Add --yes to do so.")
        if not click.confirm(f"Replace the history and the lessons with those of {chosen.name}?"):
            render.note("Nothing was changed.")
            return
    done = recovery.restore(home, chosen.name)
    exports.remove_candidates(home)
    try:
        render.warn(publish(home).warnings)
        bundle.refresh()
    except LessonsError as wrong:
        render.warn([str(wrong)])
    document = {
        "restored": chosen.name,
        "files": done.files,
        "before": done.before.name,
        "missing": done.missing,
        "aside": done.aside or None,
    }
    lines = [f"Restored {', '.join(done.files)} from {done.backup.name}."]
    if done.missing:
        names = ", ".join(done.missing)
        lines.append(f"Promoted since then, and not restored: {names}. `lessons undo` puts one back in review.")
    if done.aside:
        lines.append(f"The damaged history is kept as {done.aside}.")
    undo = f"lessons backup restore {done.before.name}"
    lines.append(f"`{undo}` undoes this; `lessons scan` reads newer transcripts.")
    render.emit(document, lambda: render.say("\n".join(lines)))


def _document(home: str, backup: Backup) -> dict[str, object]:
    about: dict[str, object] = msgspec.to_builtins(backup)
    files = sorted(about.pop("digests"))  # type: ignore[call-overload]
    history = [os.path.basename(paths.history_file(home))] if backup.tables else []
    where = backups.folder_of(home, backup.name)
    return {**about, "files": [*history, *files], "bytes": backups.size_of(home, backup.name), "folder": where}
