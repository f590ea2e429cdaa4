"""`lessons commits`: lists the commits made in this project, with their sessions."""

import click
import msgspec

from lessons import paths
from lessons.cli import render
from lessons.cli.options.project import cwd_option, folder_of
from lessons.cli.options.session import session_id_of, session_option
from lessons.session import Commit
from lessons.store.project_state.state_files import commit_log
from lessons.store.project_state.state_paths import state_paths_of

_EMPTY = "No commits logged for this project yet. They are logged while a session with the hook runs."


@click.command("commits", short_help="List the commits made here, with their sessions")
@session_option
@click.option("--last", "count", type=click.IntRange(min=1), help="Only the newest N.  [default: 50 on a terminal]")
@cwd_option
@render.json_option
def command(session: str | None, count: int | None, cwd: str | None, as_json: bool) -> None:
    """List the commits made here, with their sessions, oldest first.

    Read from git itself: every commit that a command made, amended and rebased ones with the commit they
    replaced. Commits from a pull, a checkout or a reset are left out. A commit belongs to a session if a call of
    that session may have made it.
    """
    place = state_paths_of(paths.data_home(), folder_of(cwd))
    own = session_id_of(place, session) if session is not None else None
    commits = [one for one in commit_log.read(place) if own in (None, one.session_id)]
    if count is None and render.is_terminal() and not as_json:
        count = 50
    commits = commits[-count:] if count else commits
    columns = ("time", "commit", "kind", "session", "branch", "files", "message")
    empty = f"No commits logged for session {session}." if session else _EMPTY
    rows = [_row(commit) for commit in commits]
    document = {"commits": msgspec.to_builtins(commits)}
    render.emit(as_json, document, lambda: render.table(columns, rows, empty, below=1))


def _row(commit: Commit) -> tuple[object, ...]:
    moment = commit.timestamp[:19].replace("T", " ")
    kind = f"{commit.kind} of {commit.replaces[:7]}" if commit.replaces else commit.kind
    session = commit.session if commit.session is not None else ""
    return (moment, commit.short_hash, kind, session, commit.branch, commit.files_changed, commit.message)
