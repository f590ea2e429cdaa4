"""`lessons history`: shows how large the history is, and makes it smaller."""

import os
from datetime import UTC, datetime

import click
import msgspec

from lessons import config, paths
from lessons.capture import retention
from lessons.cli import render
from lessons.errors import NotFound
from lessons.store.history.history import History
from lessons.store.scan_lock import scanning

_DEFAULT_DAYS = 90


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


@click.group("history", short_help="Show the size of the history, or compact it", invoke_without_command=True)
@render.json_option
@click.pass_context
def command(context: click.Context, as_json: bool) -> None:
    """Show the size of the history, or compact it."""
    if context.invoked_subcommand is not None:
        if as_json:
            raise click.UsageError(f"Write --json after {context.invoked_subcommand}.")
        return
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
    before = retention.cutoff(days or config.load(home).history_days or _DEFAULT_DAYS, now)
    unreturned: list[str] = []
    with scanning(home, 10), History.opened(home) as history:
        size, old = history.compaction.size(), history.compaction.survey(before)
        if not dry_run and old.calls:
            retention.compact(history, before, now)
        if not dry_run:
            unreturned = retention.return_space(history)
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
