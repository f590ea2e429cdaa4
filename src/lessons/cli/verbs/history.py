"""`lessons history`: shows how large the history is, makes it smaller, backs it up, and deletes parts of it."""

import os
from contextlib import ExitStack, suppress
from datetime import UTC, datetime

import click
import msgspec

from lessons import config, paths
from lessons.cli import render
from lessons.cli.options import Moment, complete_project, completer, data_home, noun
from lessons.errors import Busy, LessonsError, NotFound, Refused
from lessons.hook import bundle
from lessons.promote.decide import settle
from lessons.promote.publish.build import publish
from lessons.promote.queue import export
from lessons.scan import run
from lessons.scan.run import mine_again
from lessons.store import consent, exports
from lessons.store.forget import Forgetting, finish, forget, project_named, session_named, survey
from lessons.store.forget_scope import ForgetScope
from lessons.store.history import backups, recovery
from lessons.store.history.backups import Backup
from lessons.store.history.history import History
from lessons.store.running import scanning

_DEFAULT_DAYS = 90
_NO_BACKUP = "No backup yet. Run `lessons backup create`."
_ELSEWHERE = {"report": "stats:report", "watch": "watch:command"}
_EARLIER = {"backtest": "backtest:command", "replay": "backtest:replay_command"}  # now below `dev`


@noun("history", "Show, watch, back up or delete the history", _ELSEWHERE, _EARLIER)
@render.json_option
def command() -> None:
    """Show, watch, back up or delete the history. Without a sub-verb: how large it is."""
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
@click.option("--yes", is_flag=True, help="Do not ask.")
@render.json_option
def compact(days: int | None, dry_run: bool, yes: bool) -> int:
    """Drop the arguments of old successful calls. On a terminal it asks first.

    Commands, paths, outcomes, failures with their fixes, and everything that lessons and candidates rest on stay.
    Triggers on file contents, or on arguments of other tools, are then back-tested on newer calls only. Set
    historyDays to let scans do this once a day; run this verb to give the space back to the disk.
    """
    home = _home_with_history()
    now = datetime.now(UTC)
    before = run.cutoff(days or config.load(home).history_days or _DEFAULT_DAYS, now)
    unreturned: list[str] = []
    if not (dry_run or yes) and render.can_ask():
        with History.for_reading(home) as history:
            old = history.compaction.survey(before)
        dropped = f"{old.characters / 1e6:,.1f} MB of arguments from {old.calls:,} calls"
        if old.calls and not click.confirm(f"Drop {dropped}, permanently?"):
            render.note("Nothing was changed.")
            return 1
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
    return 0


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


_ROWS = (
    *("calls", "prompts", "hook_contexts", "stop_hooks", "messages", "tags", "diagnoses", "answers", "evidence"),
    *("candidates", "sessions", "marks", "sources", "injections", "log_lines", "state_files", "examples", "decisions"),
)
_KEYS = {"sources": "transcripts"}  # in the document; every other row keeps its name
# What a person reads, where the name of the table alone says too little.
_TITLES = {
    "hook_contexts": "texts added by hooks",
    "stop_hooks": "stop hooks",
    "tags": "#lesson tags",
    "diagnoses": "agent's remarks",
    "answers": "learned answers",
    "evidence": "occurrences",
    "marks": "pending results",
    "sources": "transcripts",
    "injections": "lessons shown",
}
_STAYS = "Your lessons are kept. The agent's transcripts are kept too, but are not read again."
_MOST_NAMED = 10
_LONGEST_WAIT = 900.0  # seconds: a first scan of some gigabytes is done by then


@command.command("forget", short_help="Delete a project, a session or a period")
@click.option(
    "--project",
    metavar="P",
    shell_complete=complete_project,
    help="This project, by its folder or by the end of its path: everything in it and below.",
)
@click.option("--session", metavar="S", help="This session (6 characters of its id are enough).")
@click.option("--before", type=Moment(), metavar="DATE|30d", help="Everything before this date.")
@click.option("--damaged-too", is_flag=True, help="Delete damaged copies of the history, which cannot be cleaned.")
@click.option("--dry-run", is_flag=True, help="Show what would be deleted.")
@click.option("--yes", is_flag=True, help="Do not ask; delete state files in the project itself, too.")
@render.json_option
def forget_command(
    project: str | None, session: str | None, before: str | None, damaged_too: bool, dry_run: bool, yes: bool
) -> int:
    """Delete a project, a session or a period from every file of the data home, permanently.

    That is the history and its backups, the logs, handoffs and other state of sessions, the examples of lessons and
    what was decided about candidates. Later scans skip it. Your settings and the texts of your lessons are kept.
    State files inside the project are listed, and deleted only with --yes. The agent's own transcripts are not
    changed. A forked session contains a copy of everything before the fork.
    """
    if sum(value is not None for value in (project, session, before)) != 1:
        raise click.UsageError("Give exactly one of --project, --session and --before.")
    home = paths.data_home()
    if not os.path.isdir(home):
        raise NotFound(f"No data yet: {home} does not exist.")
    with ExitStack() as held:
        _wait_for_scan(home, held)
        finished = False
        if not dry_run:
            settle(home)
            finished = finish(home)
        try:
            scope = _scope_of(home, project, session, before)
            found = survey(home, scope)
            if not found and not (damaged_too and found.unreadable):
                raise NotFound(_nothing(home, scope))
        except NotFound:
            if not finished:
                raise
            done = "Finished an earlier `lessons forget` that was interrupted."
            render.emit({"forgotten": {}, "backups": 0}, lambda: render.say(done))
            return 0
        return _forget(home, scope, found, damaged_too, dry_run, yes)


def _wait_for_scan(home: str, held: ExitStack) -> None:
    """Lets no scan run while `held` is open; waits for one that does."""
    try:
        held.enter_context(scanning(home))
        return
    except Busy:
        render.note("A scan is running: waiting until it is done.")
    try:
        held.enter_context(scanning(home, _LONGEST_WAIT))
    except Busy:
        raise Busy("A scan is still running, and nothing was deleted: try again when it is done.") from None


def _forget(home: str, scope: ForgetScope, found: Forgetting, damaged_too: bool, dry_run: bool, yes: bool) -> int:
    if not render.is_json():
        _show_found(scope, found, damaged_too, yes)
    if dry_run:
        render.emit(_forgotten(found, dry_run), lambda: render.note("Nothing was deleted: this was a dry run."))
        return 0
    if not yes and not render.can_ask():
        raise Refused(
            "No terminal to ask on, and this cannot be undone. Add --yes, or --dry-run to see what would be deleted."
        )
    if not yes and not click.confirm("Delete this permanently?", default=False):
        render.note("Nothing was deleted.")
        return 1
    exports.remove_candidates(home)  # first: after an interruption, nothing of it may be left there
    deleted = forget(home, scope, damaged_too, in_project_too=yes)
    with suppress(LessonsError):
        mine_again(home)
        export(home)
    if deleted.lessons:
        with suppress(LessonsError):
            publish(home)
    render.emit(_forgotten(deleted, dry_run), lambda: render.say(f"Deleted. {_STAYS}"))
    return 0


def _scope_of(home: str, project: str | None, session: str | None, before: str | None) -> ForgetScope:
    for name, value in (("--project", project), ("--session", session)):
        if value is not None and not value.strip():
            raise Refused(f"{name} is empty: give what to delete.")
    if project is not None:
        folder = project_named(home, project)
        return ForgetScope(folders=tuple(dict.fromkeys((folder, os.path.realpath(folder)))))
    if session is not None:
        return ForgetScope(session=session_named(home, session))
    assert before is not None
    if before > f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%S}.999Z":
        raise Refused(f"--before is {before}, which is in the future. Give a date in the past.")
    return ForgetScope(before=before)


def _nothing(home: str, scope: ForgetScope) -> str:
    if scope.session:
        return f"Unknown session {scope.session}."
    if scope.before:
        return f"No data from before {scope.before}."
    if consent.read_forgotten(home).names_project(scope.folders[0]):
        return f"Nothing is stored about the project {scope.folders[0]}: it was deleted earlier."
    return f"Unknown project {scope.folders[0]}. `lessons search --project PART` shows how it is spelled."


def _show_found(scope: ForgetScope, found: Forgetting, damaged_too: bool, yes: bool) -> None:
    rows: list[tuple[str, object]] = [("project", scope.folders[0])] if scope.folders else []
    rows += [
        (_TITLES.get(name, name.replace("_", " ")), f"{number:,}") for name, number in found.rows.items() if number
    ]
    if found.first:
        rows += [(name, time[:19].replace("T", " ")) for name, time in (("from", found.first), ("to", found.last))]
    if found.backups:
        contain = "contains parts of it and is" if len(found.backups) == 1 else "contain parts of it and are"
        rows.append(("backups", f"{len(found.backups)} {contain} cleaned too"))
    if found.lessons:
        rows.append(("lessons", f"{_some(found.lessons)} came from it: examples are removed, texts are kept"))
    if found.in_project:
        what = "are deleted too" if yes else "are kept; --yes deletes them"
        rows.append(("in the project", f"{len(found.in_project)} state files {what}: {_some(found.in_project)}"))
    render.fields(rows)
    what = "is deleted" if damaged_too else "may contain parts of it; --damaged-too deletes it"
    render.warn([f"{path} is damaged and cannot be cleaned: it {what}." for path in found.unreadable])


def _some(names: list[str]) -> str:
    more = len(names) - _MOST_NAMED
    return ", ".join(names[:_MOST_NAMED]) + (f" and {more} more" if more > 0 else "")


def _forgotten(found: Forgetting, dry_run: bool) -> dict[str, object]:
    return {
        "forgotten": {_key_of(name): found.rows.get(name, 0) for name in _ROWS},
        "backups": len(found.backups),
        "first": found.first or None,
        "last": found.last or None,
        "damaged": found.unreadable,
        "inProject": found.in_project,
        "lessons": found.lessons,
        "dryRun": dry_run,
    }


def _key_of(name: str) -> str:
    """Converts `log_lines` to `logLines`."""
    first, *others = _KEYS.get(name, name).split("_")
    return first + "".join(map(str.capitalize, others))
