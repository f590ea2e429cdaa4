"""`lessons forget`: deletes a project, a session or a period from the history and its backups."""

import os
from contextlib import ExitStack, suppress
from datetime import UTC, datetime

import click

from lessons import paths
from lessons.cli import render
from lessons.cli.options import Moment, complete_project
from lessons.errors import Busy, LessonsError, NotFound, Refused
from lessons.promote.decide import settle
from lessons.promote.publish.build import publish
from lessons.promote.queue import export
from lessons.scan.run import mine_again
from lessons.store import consent, exports
from lessons.store.forget import Forgetting, finish, forget, project_named, session_named, survey
from lessons.store.forget_scope import ForgetScope
from lessons.store.running import scanning

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


@click.command("forget", short_help="Delete a project, a session or a period")
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
def command(
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
        _show(scope, found, damaged_too, yes)
    if dry_run:
        render.emit(_document(found, dry_run), lambda: render.note("Nothing was deleted: this was a dry run."))
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
    render.emit(_document(deleted, dry_run), lambda: render.say(f"Deleted. {_STAYS}"))
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


def _show(scope: ForgetScope, found: Forgetting, damaged_too: bool, yes: bool) -> None:
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


def _document(found: Forgetting, dry_run: bool) -> dict[str, object]:
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
