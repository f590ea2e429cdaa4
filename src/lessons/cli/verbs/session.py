"""`lessons session`: shows the state of a project's session and problems with its files."""

import click
import msgspec

from lessons import paths
from lessons.cli import render
from lessons.cli.options.project import cwd_option, folder_of
from lessons.cli.options.session import session_id_of, session_option
from lessons.continuity.session_report import SessionReport, session_report
from lessons.session import SessionState
from lessons.store.project_state.state_paths import state_paths_of


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
    report = session_report(place, session_id_of(place, session) if session is not None else None)
    render.emit(as_json, msgspec.to_builtins(report), lambda: _print(report))
    render.warn(report.problems if not as_json else [])


def _print(report: SessionReport) -> None:
    session = report.session
    if session is None:
        render.note(f"No session of {report.root} yet. The hooks record each session that starts.")
        return
    saves = report.auto_save.save_count if report.auto_save else 0
    last = f", the last {_minute(report.handoff.timestamp)} ({report.handoff.saved_by})" if report.handoff else ""
    files = report.context_tracking.files_read if report.context_tracking else []
    pairs = [
        ("project", report.root),
        ("state", report.state_folder),
        ("session", f"{session.session_id} (number {session.session} of this project)"),
        ("started", _minute(session.started_at)),
        ("ended", f"{_minute(session.ended_at)} ({session.end_reason})" if session.ended_at else "not yet"),
        ("previous", _previous(session)),
        ("files read", f"{len(files)} since the last pause" if files else "none since the last pause"),
        ("handoffs", f"{saves} saved{last}" if saves else "none saved yet"),
        ("commits", report.commits),
        ("subagents", report.subagents),
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
