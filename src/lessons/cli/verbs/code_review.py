"""`lessons code-review`: manages the review log of a project, and the patterns that recur in it."""

import os
from collections.abc import Callable
from datetime import date
from typing import Any, TypeVar

import click
import msgspec

from lessons import paths
from lessons.cli import render
from lessons.cli.options import content_of, cwd_option, data_home, folder_of, noun
from lessons.errors import LessonsError, Refused
from lessons.project_state import RESOLUTIONS, SEVERITIES, Consolidation, Origin, ReviewEntry, entry_document
from lessons.promote.queue import export
from lessons.reviews import review_log
from lessons.reviews.entry import SHORTEST_LEARNING, cleaned, new_key
from lessons.reviews.review_log import Synced
from lessons.reviews.review_sources import entries_of, read_source, text_of
from lessons.store import state_files
from lessons.store.state_paths import StatePaths, state_paths_of

Command = TypeVar("Command", bound=Callable[..., Any])

_TEXTS = {
    "title": "What was reviewed.",
    "date": "YYYY-MM-DD.  [default: today]",
    "source": "Who reviewed, such as sonarcloud+alice.  [default: manual]",
}
_LISTS = {
    "pattern": ("patterns", "What was found, in a few words."),
    "learning": ("learnings", "What was learned, 20 to 300 characters."),
    "automation-candidate": ("automation_candidates", "Retrospective: what a rule could find."),
    "skill": ("skills_to_update", "Retrospective: which skill to update."),
    "process": ("process_improvements", "Retrospective: what to do differently."),
}
_NUMBERS = {
    "pr": "The number of the pull request.",
    **{name: f"How many were {name}." for name in (*RESOLUTIONS, *SEVERITIES)},
    "total": "How many were found.",
    "rounds": "Retrospective: rounds of review.",
    "total-items": "Retrospective: how many were found.",
    "churn-chains": "Retrospective: fixes that had to be fixed again.",
}


_OF_REVIEWS = {"title", "source", "patterns", *SEVERITIES, "total"}
_OF_RETROSPECTIVES = {
    *("rounds", "total_items", "churn_chains", "automation_candidates", "skills_to_update", "process_improvements")
}


def _entry_options(command: Command) -> Command:
    """Adds all these options, and --retro."""
    for name, what in reversed(_NUMBERS.items()):
        command = click.option(f"--{name}", type=click.IntRange(min=0), metavar="N", help=what)(command)
    for name, (field, what) in reversed(_LISTS.items()):
        what = f"{what} May be repeated."
        command = click.option(f"--{name}", field, multiple=True, metavar="TEXT", help=what)(command)
    for name, what in reversed(_TEXTS.items()):
        command = click.option(f"--{name}", metavar="TEXT", help=what)(command)
    return click.option("--retro", is_flag=True, help="A retrospective of a pull request.")(command)


def _entry_from_options(given: dict[str, Any]) -> ReviewEntry:
    """Returns the entry that the given options describe."""
    fields = {name: list(value) if isinstance(value, tuple) else value for name, value in given.items()}
    is_retro = bool(fields.pop("retro", False))
    if is_retro and "pr" not in fields:
        raise Refused("A retrospective is about a pull request: give its number with --pr.")
    foreign = sorted(fields.keys() & (_OF_REVIEWS if is_retro else _OF_RETROSPECTIVES))
    if foreign:
        kind, hint = ("retrospective", "") if is_retro else ("review", " or add --retro")
        raise Refused(f"A {kind} has no {foreign[0].replace('_', ' ')}: leave that out{hint}.")
    day = str(fields.setdefault("date", date.today().isoformat()))
    try:
        is_date = date.fromisoformat(day).isoformat() == day
    except ValueError:
        is_date = False
    if not is_date:
        raise Refused(f"--date {day!r} is not a date: write YYYY-MM-DD.")
    for text in fields.get("learnings", ()):
        if len(text) < SHORTEST_LEARNING:
            raise Refused(f"--learning {text!r} has fewer than {SHORTEST_LEARNING} characters: write a sentence.")
    identifier = {"id": f"retro-{fields['pr']}", "type": "retrospective"} if is_retro else {"id": 0}
    return cleaned(ReviewEntry(**identifier, origin=Origin(key=new_key("manual")), **fields))  # type: ignore[arg-type]


_EMPTY = "No reviews yet. Add one with `lessons code-review add`, or a log with `lessons code-review sync FILE`."


@noun("code-review", "Log code reviews and find what recurs")
@render.json_option
def command() -> None:
    """Log code reviews and find what recurs in them.

    What reviews find at least 3 times in at least 2 pull requests becomes a candidate: `lessons review` shows it with
    its evidence. Without a subcommand it lists the log of this project.
    """
    click.get_current_context().invoke(list_all, everything=False, cwd=None)


@command.command("add", short_help="Add a review or a retrospective")
@_entry_options
@click.option("--from", "file", metavar="FILE|-", help="Read entries from JSON, markdown or `gh pr view` output.")
@cwd_option
@render.json_option
def add(file: str | None, cwd: str | None, **fields: Any) -> None:
    """Add a review or, with --retro, a retrospective: from options, or from a file.

    Output of `gh pr view 12 --json number,title,reviews,comments` gives one entry per pull request; comments of review
    bots count, reports of other bots do not.
    """
    place = _place(cwd)
    given = {name: value for name, value in fields.items() if value is not None and value != () and value is not False}
    if given.keys() - {"pr"} if file else not given:
        raise click.UsageError("Give --from FILE, or the fields of one entry (--title, --pattern, --pr …).")
    if file is None:
        entries = [_entry_from_options(given)]
    elif file == "-":
        entries = entries_of(text_of(content_of("-")), pull_request=given.get("pr"))
    else:
        entries = read_source(place.root, os.path.abspath(file), given.get("pr"))
    added, updated = review_log.add(place, entries)
    unchanged = len(entries) - len(added) - len(updated)

    def print_all() -> None:
        for entry in added:
            kind = "review" if entry.type == "review" else "retrospective"
            about = f" (pull request {entry.pr})" if entry.pr is not None else ""
            render.say(f"Added {kind} {entry.id}{about}: {', '.join(entry.pattern_names()) or 'no patterns'}.")
        if updated:
            render.say(f"Updated {_entries(len(updated))}.")
        if unchanged:
            render.note(f"{unchanged} already in the log.")

    document = {"added": [entry_document(entry) for entry in added], "updated": len(updated), "known": unchanged}
    render.emit(document, print_all)
    if not entries:
        raise LessonsError("No review found there: docs/REVIEWS.md shows the supported formats.")


@command.command("sync", short_help="Update the log from its sources")
@click.argument("files", metavar="[FILE]...", nargs=-1)
@click.option("--check", is_flag=True, help="Change nothing; exit 1 if the log and its sources differ.")
@cwd_option
@render.json_option
def sync(files: tuple[str, ...], check: bool, cwd: str | None) -> int:
    """Bring the log up to date with review logs in markdown and saved `gh` output, and report where they differ.

    Without FILE all files are read that the log came from. Entries that left their source are only reported:
    `repair` removes them.
    """
    synced = review_log.sync(_place(cwd), files, check)
    render.emit(_drift_document(synced, check), lambda: _print_drift(synced, check))
    return 1 if check and synced.drift else 0


@command.command("repair", short_help="Rebuild the log from its sources")
@click.argument("files", metavar="[FILE]...", nargs=-1)
@cwd_option
@render.json_option
def repair(files: tuple[str, ...], cwd: str | None) -> None:
    """Rebuild the log from its sources. Archived entries and those without a source stay."""
    place = _place(cwd)
    synced = review_log.repair(place, files)
    document = {**_drift_document(synced, False), "entries": len(state_files.review_log.read(place))}
    render.emit(document, lambda: _print_drift(synced, False, "removed"))


@command.command("archive", short_help="Archive all but the newest 20 entries")
@cwd_option
@render.json_option
def archive(cwd: str | None) -> None:
    """Archive all but the newest 20 entries. They still count for what recurs."""
    moved, active = review_log.archive(_place(cwd))
    sentence = f"Archived {_entries(moved)}." if moved else "Nothing to archive."
    render.emit({"archived": moved, "active": active}, lambda: render.say(f"{sentence} {active} active."))


@command.command("list", short_help="List the entries of the log")
@click.option("--all", "everything", is_flag=True, help="Archived entries too.")
@cwd_option
@render.json_option
def list_all(everything: bool, cwd: str | None) -> None:
    """List the entries of the log, oldest first."""
    log = state_files.review_log.read(state_paths_of(paths.data_home(), folder_of(cwd)))
    shown = [entry for entry in log if everything or not entry.archived]
    document = {"entries": [entry_document(entry) for entry in shown], "archived": sum(each.archived for each in log)}
    columns = ("id", "date", "pull request", "source", "found", "title", "patterns")
    rows = []
    for each in shown:
        is_review = each.type == "review"
        found, title = (each.total, each.title) if is_review else (each.total_items, each.title or "retrospective")
        pull_request = f"#{each.pr}" if each.pr is not None else ""
        patterns = ", ".join(each.pattern_names())
        rows.append((each.id, each.date, pull_request, each.source, found, title or "", patterns))
    render.emit(document, lambda: render.table(columns, rows, _EMPTY))


@command.command("consolidate", short_help="Find what recurs, as candidates")
@click.option("--auto", "automatic", is_flag=True, help="Only if at least 10 entries are new.")
@cwd_option
@render.json_option
def consolidate(automatic: bool, cwd: str | None) -> None:
    """Find what recurs in all entries, and make a candidate of each pattern. Safe to run again."""
    place = _place(cwd)
    result = review_log.run_consolidation(place, automatic)
    if result is not None and result.entries:
        export(place.home)
    document = {"ran": result is not None, **msgspec.to_builtins(result or Consolidation())}

    def print_all() -> None:
        if result is None:
            render.note("Fewer than 10 entries are new: nothing done.")
            return
        rows = []
        for each in result.patterns:
            numbers = ", ".join(f"#{number}" for number in each.pull_requests)
            rows.append((each.pattern, each.occurrences, numbers, each.last_seen, each.candidate))
        empty = f"Nothing recurs in {_entries(len(result.entries))} yet: it takes 3 times in 2 pull requests."
        render.table(("pattern", "times", "pull requests", "last seen", "candidate"), rows, empty)
        if rows:
            render.note("Next: `lessons review` shows them with their evidence.")

    render.emit(document, print_all)


def _place(cwd: str | None) -> StatePaths:
    return state_paths_of(data_home(), folder_of(cwd))


def _entries(number: int) -> str:
    return "1 entry" if number == 1 else f"{number:,} entries"


def _drift_document(synced: Synced, check: bool) -> dict[str, object]:
    names = {name: [entry.id for entry in getattr(synced.drift, name)] for name in ("missing", "changed", "orphaned")}
    return {"drift": bool(synced.drift), "check": check, "added": [entry.id for entry in synced.added], **names}


def _print_drift(synced: Synced, check: bool, orphans: str = "no longer in their source") -> None:
    drift = synced.drift
    if not drift:
        render.say("The log and its sources agree.")
        return
    missing, changed = ("missing", "changed") if check else ("added", "updated")
    render.say(f"{len(drift.missing)} {missing}, {len(drift.changed)} {changed}, {len(drift.orphaned)} {orphans}.")
    if check:
        render.note("Run `lessons code-review sync` to bring the log up to date.")
    elif drift.orphaned and orphans != "removed":
        render.note("Run `lessons code-review repair` to remove entries that are no longer in their source.")
