"""`lessons forget`: a project, a session or a date in, a history and backups without anything of it out."""

import os
from contextlib import suppress
from datetime import UTC, datetime

import click

from lessons import paths
from lessons.capture.run import mine_again
from lessons.cli import render
from lessons.cli.options.times import Moment
from lessons.errors import Busy, LessonsError, NotFound, Refused
from lessons.promote.queue.queue import export
from lessons.store import candidates_file
from lessons.store.history.forget import Forgetting, finish, forget, session_named, survey
from lessons.store.history.forget_scope import ForgetScope
from lessons.store.scan_lock import scanning

_NAMES = {
    "calls": "calls",
    "prompts": "prompts",
    "hook_contexts": "hookContexts",
    "tags": "tags",
    "evidence": "evidence",
    "candidates": "candidates",
    "sessions": "sessions",
    "marks": "marks",
    "sources": "transcripts",
    "injections": "injections",
    "log_lines": "logLines",
}
_STAYS = "Your lessons stay: they are your own texts. The agent's transcripts stay too, but are not read again."


@click.command("forget", short_help="Delete a project, a session or a time from the history")
@click.option("--project", metavar="P", help="Everything of this project: its folder and all below it.")
@click.option("--session", metavar="S", help="Everything of this session (6 characters of its id are enough).")
@click.option("--before", type=Moment(), metavar="DATE|30d", help="Everything before then.")
@click.option("--damaged-too", is_flag=True, help="Delete damaged copies of the history whole: they cannot be cleaned.")
@click.option("--dry-run", is_flag=True, help="Tell what would go, and keep it.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@render.json_option
def command(
    project: str | None,
    session: str | None,
    before: str | None,
    damaged_too: bool,
    dry_run: bool,
    yes: bool,
    as_json: bool,
) -> int:
    """Delete a project, a session or a time from the history, its backups and the logs, for ever.

    No byte of it stays under the data home, and no later scan brings it back. Lessons stay: they are your own texts.
    The agent's own transcripts are not touched. A session that was forked from another holds a copy of what was before.
    """
    if sum(value is not None for value in (project, session, before)) != 1:
        raise click.UsageError("Give exactly one of --project, --session and --before.")
    home = paths.data_home()
    if not os.path.isdir(home):
        raise NotFound(f"Nothing is known yet: there is no {home}.")
    try:
        with scanning(home):
            return _forget(home, (project, session, before), damaged_too, dry_run, yes, as_json)
    except Busy as busy:
        raise Busy(str(busy).replace("this one has nothing to do", "wait until it is done and try again")) from None


def _forget(
    home: str,
    asked: tuple[str | None, str | None, str | None],
    damaged_too: bool,
    dry_run: bool,
    yes: bool,
    as_json: bool,
) -> int:
    finished = not dry_run and finish(home)
    try:
        scope = _scope_of(home, *asked)
        found = survey(home, scope)
        if not found and not (damaged_too and found.unreadable):
            raise NotFound(_nothing(scope))
    except NotFound:
        if not finished:
            raise
        done = "An earlier call was interrupted: what it began is done now."
        render.emit(as_json, {"forgotten": {}, "backups": 0}, lambda: render.say(done))
        return 0
    if not as_json:
        _show(found, damaged_too)
    if dry_run:
        render.emit(as_json, _document(found, dry_run), lambda: render.note("Nothing was deleted: this was a dry run."))
        return 0
    if not yes and not _agreed(as_json):
        render.note("Nothing was deleted.")
        return 1
    candidates_file.remove(home)  # first: should this be interrupted, nothing of it stays there
    done_with = forget(home, scope, damaged_too)
    with suppress(LessonsError):
        mine_again(home)
        export(home)
    render.emit(as_json, _document(done_with, dry_run), lambda: render.say(f"Forgotten. {_STAYS}"))
    return 0


def _scope_of(home: str, project: str | None, session: str | None, before: str | None) -> ForgetScope:
    for name, value in (("--project", project), ("--session", session)):
        if value is not None and not value.strip():
            raise Refused(f"{name} is empty: say what is to be forgotten.")
    if project is not None:
        folder = os.path.abspath(os.path.expanduser(project))
        return ForgetScope(folders=tuple(dict.fromkeys((folder, os.path.realpath(folder)))))
    if session is not None:
        return ForgetScope(session=session_named(home, session))
    assert before is not None
    if before > f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%S}.999Z":
        raise Refused(f"--before is {before}, a time to come: what has not happened yet cannot be forgotten.")
    return ForgetScope(before=before)


def _nothing(scope: ForgetScope) -> str:
    if scope.session:
        return f"Nothing is known of the session {scope.session}."
    if scope.before:
        return f"Nothing is known from before {scope.before}."
    return (
        f"Nothing is known of the project {scope.folders[0]}: `lessons search --project PART` shows how it is spelled."
    )


def _agreed(as_json: bool) -> bool:
    if as_json or not render.can_ask():
        raise Refused(
            "Nobody can be asked here, and it cannot be undone: say --yes, or --dry-run to see what would go."
        )
    return click.confirm("Delete this for ever?", default=False)


def _show(found: Forgetting, damaged_too: bool) -> None:
    rows: list[tuple[str, object]] = [
        (name.replace("_", " "), f"{number:,}") for name, number in found.rows.items() if number
    ]
    if found.first:
        rows += [("from", _moment(found.first)), ("to", _moment(found.last))]
    if found.backups:
        rows.append(("backups", f"{len(found.backups)} hold some of it and are cleaned too"))
    render.fields(rows)
    if found.unreadable:
        what = "is deleted whole" if damaged_too else "may hold some of it; --damaged-too deletes it"
        render.warn([f"{path} is damaged and cannot be cleaned: it {what}." for path in found.unreadable])


def _moment(time: str) -> str:
    return time[:19].replace("T", " ")


def _document(found: Forgetting, dry_run: bool) -> dict[str, object]:
    counts = {name: found.rows.get(key, 0) for key, name in _NAMES.items()}
    return {
        "forgotten": counts,
        "backups": len(found.backups),
        "first": found.first or None,
        "last": found.last or None,
        "damaged": found.unreadable,
        "dryRun": dry_run,
    }
