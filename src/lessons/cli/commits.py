"""`lessons commits`: filters in, the commits that were made in this project, and in which session, out."""

import os

import click
import msgspec

from lessons import paths
from lessons.cli import render
from lessons.session import Commit
from lessons.store.project_state import commit_log
from lessons.store.project_state.place import place_of

_EMPTY = "No commit of this project is in the log yet: they are noted while a session with the hook runs."


@click.command("commits", short_help="Show the commits made here, each with its session")
@click.option("--session", help="Only those of this session: its number, or the beginning of its id.")
@click.option(
    "--last", "count", type=click.IntRange(min=1), help="Only so many, the newest.  [default: 50 on a terminal]"
)
@render.json_option
def command(session: str | None, count: int | None, as_json: bool) -> None:
    """Show the commits made here, each with its session, oldest first.

    They are taken from git itself: every commit of a command, amended and rebased ones with the commit whose place they
    took. What a pull, a checkout or a reset brought is not among them. A commit belongs to a session where a call of
    that session may have made it.
    """
    commits = [one for one in commit_log.read(place_of(paths.data_home(), os.getcwd())) if _is_of(one, session)]
    if count is None and render.is_terminal() and not as_json:
        count = 50
    commits = commits[-count:] if count else commits
    columns = ("time", "commit", "kind", "session", "branch", "files", "message")
    empty = f"No commit of session {session} is in the log." if session else _EMPTY
    rows = [_row(commit) for commit in commits]
    document = {"commits": msgspec.to_builtins(commits)}
    render.emit(as_json, document, lambda: render.table(columns, rows, empty, below=1))


def _is_of(commit: Commit, session: str | None) -> bool:
    if not session:
        return True
    return session == str(commit.session) or (commit.session_id or "").startswith(session)


def _row(commit: Commit) -> tuple[object, ...]:
    moment = commit.timestamp[:19].replace("T", " ")
    kind = f"{commit.kind} of {commit.replaces[:7]}" if commit.replaces else commit.kind
    session = commit.session if commit.session is not None else ""
    return (moment, commit.short_hash, kind, session, commit.branch, commit.files_changed, commit.message)
