"""`lessons session`: shows the state of a project's session and problems with its files."""

import click
import msgspec

from lessons import paths
from lessons.cli import render
from lessons.cli.options.project import cwd_option, folder_of
from lessons.cli.options.session import session_id_of, session_option
from lessons.errors import NotFound
from lessons.session import AutoSave, ContextTracking, Handoff, SessionState
from lessons.store.project_state import handoff as handoffs
from lessons.store.project_state import session_state
from lessons.store.project_state.problems import problems_of
from lessons.store.project_state.state_files import agent_invocations, auto_save, commit_log, context_tracking
from lessons.store.project_state.state_paths import StatePaths, state_paths_of


class Known(msgspec.Struct, rename="camel", kw_only=True):
    """What the files of a project say about one session."""

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


@click.command("session", short_help="Show the state of this project's session")
@session_option
@cwd_option
@render.json_option
def command(session: str | None, cwd: str | None, as_json: bool) -> None:
    """Show the state of this project's session: its number, files read, commits, and what is wrong with its files.

    Without --session it shows the latest. The state is in .claude of a project that was set up with `lessons init
    --project`, else in the data home.
    """
    place = state_paths_of(paths.data_home(), folder_of(cwd))
    known = _known(place, session_id_of(place, session) if session is not None else None)
    render.emit(as_json, msgspec.to_builtins(known), lambda: _print(known))
    render.warn(known.problems if not as_json else [])


def _known(place: StatePaths, session_id: str | None) -> Known:
    session = session_state.read_of(place, session_id) if session_id else session_state.read_latest(place)
    known = Known(
        root=place.root,
        state_folder=place.state,
        in_project=place.in_project,
        session=session,
        problems=problems_of(place, session.session_id if session else session_id),
    )
    if session is None and session_id is not None:
        raise NotFound(f"Session {session_id} is in the logs only: see `lessons commits` and `lessons subagents`.")
    if session is None:
        return known
    own = session.session_id
    known.context_tracking = context_tracking.read_or_new(place, own)
    known.auto_save = auto_save.read_or_new(place, own)
    known.commits = sum(each.session_id == own for each in commit_log.read(place))
    known.subagents = sum(each.session_id == own for each in agent_invocations.read(place))
    known.handoff = handoffs.read_of(place, own)
    return known


def _print(known: Known) -> None:
    session = known.session
    if session is None:
        render.note(f"No session of {known.root} yet. The hooks record each session that starts.")
        return
    saves = known.auto_save.save_count if known.auto_save else 0
    last = f", the last {_minute(known.handoff.timestamp)} ({known.handoff.saved_by})" if known.handoff else ""
    files = known.context_tracking.files_read if known.context_tracking else []
    pairs = [
        ("project", known.root),
        ("state", known.state_folder),
        ("session", f"{session.session_id} (number {session.session} of this project)"),
        ("started", _minute(session.started_at)),
        ("ended", f"{_minute(session.ended_at)} ({session.end_reason})" if session.ended_at else "not yet"),
        ("previous", _previous(session)),
        ("files read", f"{len(files)} since the last pause" if files else "none since the last pause"),
        ("handoffs", f"{saves} saved{last}" if saves else "none saved yet"),
        ("commits", known.commits),
        ("subagents", known.subagents),
    ]
    render.fields(pairs)


def _previous(session: SessionState) -> str:
    before = session.previous
    if before is None:
        return "none"
    ended = ", which ended unexpectedly" if before.unclean_end else ""
    return f"number {before.session}, started {_minute(before.started_at)}{ended}"


def _minute(time: str) -> str:
    return time[:16].replace("T", " ")
