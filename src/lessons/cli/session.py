"""`lessons session`: a project in, what is known of its running session, and what is wrong with its files, out."""

from datetime import UTC, datetime

import click
import msgspec

from lessons import paths
from lessons.cli import render
from lessons.cli.home import data_home
from lessons.cli.project_option import cwd_option, folder_of
from lessons.cli.unseen import noted
from lessons.session import AutoSave, ContextTracking, Handoff, SessionState
from lessons.store.project_state import agent_invocations, auto_save, commit_log, context_tracking, session_state
from lessons.store.project_state import handoff as handoffs
from lessons.store.project_state.place import Place, place_of
from lessons.store.project_state.problems import problems_of


class Known(msgspec.Struct, rename="camel", kw_only=True):
    """All that the files of a project tell about one session."""

    root: str
    state_folder: str
    in_project: bool
    session: SessionState | None = None
    context_tracking: ContextTracking | None = None
    auto_save: AutoSave | None = None
    commits: int = 0
    subagents: int = 0
    handoff: Handoff | None = None
    problems: list[str] = []


@click.group("session", short_help="Show the state of this project's session", invoke_without_command=True)
@click.option("--session", "session_id", metavar="ID", help="Of which session.  [default: the latest]")
@cwd_option
@render.json_option
@click.pass_context
def command(context: click.Context, session_id: str | None, cwd: str | None, as_json: bool) -> None:
    """Show the state of this project's session: its number, files read, commits, and what is wrong with its files.

    The state lies in .claude of a project that was set up with `lessons init --project`, else in the data home.
    """
    if context.invoked_subcommand is None:
        known = _known(place_of(paths.data_home(), folder_of(cwd)), session_id)
        render.emit(as_json, msgspec.to_builtins(known), lambda: _print(known))
        render.warn(known.problems if not as_json else [])
    elif as_json or session_id or cwd:
        raise click.UsageError(f"Write the options after {context.invoked_subcommand}.")


@command.command("begin", hidden=True)
@click.option("--session", "session_id", required=True, metavar="ID")
@click.option("--process", type=click.IntRange(min=0), default=0, help="Of the client.")
@click.option("--at", "seconds", type=click.IntRange(0, 2**33), help="When, in seconds since 1970.  [default: now]")
@click.option("--quiet", is_flag=True)
@cwd_option
@render.json_option
def begin_one(session_id: str, process: int, seconds: int | None, quiet: bool, cwd: str | None, as_json: bool) -> None:
    """Note that a session begins (the hooks run this; it may come to run long after the session has begun)."""
    from lessons.continuity.begin import begin

    home = data_home()
    with noted(home, "session begin", quiet):
        now = datetime.now(UTC) if seconds is None else datetime.fromtimestamp(seconds, UTC)
        state = begin(home, folder_of(cwd), session_id, process, now)
    if not quiet:
        render.emit(as_json, msgspec.to_builtins(state), lambda: render.say(f"This is session {state.session}."))


def _known(place: Place, session_id: str | None) -> Known:
    session = session_state.read_of(place, session_id) if session_id else session_state.read_latest(place)
    known = Known(
        root=place.root,
        state_folder=place.state,
        in_project=place.in_project,
        session=session,
        problems=problems_of(place, session.session_id if session else session_id),
    )
    if session is None:
        return known
    own = session.session_id
    known.context_tracking = context_tracking.read_of(place, own)
    known.auto_save = auto_save.read_of(place, own)
    known.commits = sum(each.session_id == own for each in commit_log.read(place))
    known.subagents = sum(each.session_id == own for each in agent_invocations.read(place))
    known.handoff = handoffs.read_of(place, own)
    return known


def _print(known: Known) -> None:
    session = known.session
    if session is None:
        render.note(f"No session of {known.root} is known yet: the hooks note each one that begins.")
        return
    saves = known.auto_save.save_count if known.auto_save else 0
    last = f", the last {_minute(known.handoff.timestamp)} ({known.handoff.saved_by})" if known.handoff else ""
    files = known.context_tracking.files_read if known.context_tracking else []
    pairs = [
        ("project", known.root),
        ("state", known.state_folder),
        ("session", f"{session.session_id} (number {session.session} of this project)"),
        ("began", _minute(session.started_at)),
        ("ended", f"{_minute(session.ended_at)} ({session.end_reason})" if session.ended_at else "not yet"),
        ("before it", _previous(session)),
        ("files read", f"{len(files)} since the last pause" if files else "none since the last pause"),
        ("handoffs", f"{saves} saved{last}" if saves else "none saved yet"),
        ("commits", known.commits),
        ("subagents", known.subagents),
    ]
    render.fields([(name, render.printable(str(value))) for name, value in pairs])


def _previous(session: SessionState) -> str:
    before = session.previous
    if before is None:
        return "none"
    ended = ", which never said that it ended" if before.unclean_end else ""
    return f"number {before.session}, begun {_minute(before.started_at)}{ended}"


def _minute(time: str) -> str:
    return time[:16].replace("T", " ")
