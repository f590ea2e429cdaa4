"""`lessons handoff`: saves, shows and lists what sessions were doing."""

import os
from datetime import UTC, datetime
from functools import partial

import click
import msgspec

from lessons import paths
from lessons.agents.table import AGENTS
from lessons.cli import render
from lessons.cli.home import data_home
from lessons.cli.options.project import cwd_option, folder_of
from lessons.cli.options.session import session_id_of, session_option
from lessons.errors import NotFound
from lessons.session import Handoff
from lessons.store.project_state import handoff as handoffs
from lessons.store.project_state.state_paths import StatePaths, root_of, state_paths_of

_NONE_YET = (
    "No handoff of this project yet. One is saved before each compaction and at the end of a session,"
    " and by `lessons handoff save`."
)


@click.group("handoff", short_help="Save and show what a session was doing", invoke_without_command=True)
@render.json_option
@click.pass_context
def command(context: click.Context, as_json: bool) -> None:
    """Save and show what a session was doing: its commands, tasks, files, commits and open questions.

    The hooks save it before a compaction, after each turn and at the end of a session. Without a subcommand it shows
    the latest one of the project.
    """
    if context.invoked_subcommand is None:
        context.invoke(show, as_json=as_json, session=None, cwd=None)
    elif as_json:
        raise click.UsageError(f"Write --json after {context.invoked_subcommand}.")


@command.command("show")
@session_option
@cwd_option
@render.json_option
def show(session: str | None, cwd: str | None, as_json: bool) -> None:
    """Show the latest handoff of this project, or that of one session."""
    from lessons.continuity.words import whole_text

    found = _chosen(state_paths_of(paths.data_home(), folder_of(cwd)), session)
    if found is None:
        raise NotFound(_NONE_YET)
    render.emit(as_json, msgspec.to_builtins(found), partial(render.say, whole_text(found)))


@command.command("list")
@cwd_option
@render.json_option
def list_all(cwd: str | None, as_json: bool) -> None:
    """List the handoffs of this project, the newest first."""
    found = handoffs.all_of(state_paths_of(paths.data_home(), folder_of(cwd)))
    rows = [
        (each.timestamp[:16].replace("T", " "), each.saved_by, each.git.branch, len(each.tasks), *_about(each))
        for each in found
    ]
    columns = ("time", "saved by", "branch", "tasks", "session", "last request")
    document = {"handoffs": [msgspec.to_builtins(each) for each in found]}
    render.emit(as_json, document, lambda: render.table(columns, rows, _NONE_YET, below=1))


@command.command("save")
@click.option("--session", "session_id", metavar="ID", help="The session.  [default: from the name of the transcript]")
@click.option("--transcript", metavar="FILE", help="The transcript file.  [default: the newest of this project]")
@click.option("--agent", type=click.Choice([*AGENTS]), help="Whose session.  [default: any agent's]")
@cwd_option
@render.json_option
def save(session_id: str | None, transcript: str | None, agent: str | None, cwd: str | None, as_json: bool) -> None:
    """Save what a session was doing, from its transcript and from git.

    Reads only what is new since the last time. Secrets are removed before anything is stored.
    """
    from lessons.continuity.save_handoff import save_handoff

    folder, home = folder_of(cwd), data_home()
    writer, file, identifier = _which([agent] if agent else [*AGENTS], folder, transcript, session_id)
    found = save_handoff(home, root_of(folder), identifier, file, "person", datetime.now(UTC), agent=writer)
    render.emit(as_json, msgspec.to_builtins(found), lambda: render.say(_saved(found)))
    render.warn(_warning(state_paths_of(home, folder), identifier))


def _which(agents: list[str], folder: str, transcript: str | None, session_id: str | None) -> tuple[str, str, str]:
    """Returns the agent, its transcript and the session id; derives what is not given from the rest."""
    from lessons.agents.newest import newest_of, transcript_of
    from lessons.agents.table import reader_of

    if transcript is not None:
        if not transcript or not os.path.isfile(transcript):
            raise NotFound(f"--transcript {transcript!r} is not a file: give an existing transcript.")
        found = _writer(agents, transcript), os.path.abspath(transcript)
    elif session_id:
        named = ((agent, file) for agent in agents if (file := transcript_of(agent, session_id)))
        if (first := next(named, None)) is None:
            raise NotFound(f"No transcript of session {session_id!r}: give its file with --transcript.")
        found = first
    else:
        if (newest := newest_of(agents, root_of(folder))) is None:
            raise NotFound(f"No transcript of {root_of(folder)}: give its file with --transcript.")
        found = newest
    return *found, session_id or reader_of(found[0]).stem(found[1])


def _writer(agents: list[str], transcript: str) -> str:
    """Returns the agent that wrote the file; if unknown, the first that may have."""
    from lessons.capture.whose import whose

    found = whose(transcript, agents)
    return found if isinstance(found, str) else agents[0]


def _chosen(place: StatePaths, session: str | None) -> Handoff | None:
    """Returns the latest one, if any; a session that is named must have one."""
    if session is None:
        return handoffs.read_latest(place)
    own = session_id_of(place, session)
    found = handoffs.read_of(place, own)
    if found is None:
        raise NotFound(f"No handoff of session {own}. `lessons handoff list` lists them all.")
    return found


def _about(handoff: Handoff) -> tuple[str, str]:
    return handoff.session_id[:8], handoff.last_request[:200]


def _saved(handoff: Handoff) -> str:
    counts = (
        (len(handoff.worked) + len(handoff.failed), "command"),
        (len(handoff.tasks), "open task"),
        (len(handoff.files_edited), "edited file"),
        (len(handoff.questions), "open question"),
    )
    summary = ", ".join(f"{count} {noun}{'s' * (count != 1)}" for count, noun in counts)
    partial = f"\n{handoff.partial}" if handoff.partial else ""
    return f"Saved the handoff of session {handoff.session_id}: {summary}. `lessons handoff show` prints it.{partial}"


def _warning(place: StatePaths, session_id: str) -> list[str]:
    """Returns a warning with the number of distinct files read."""
    from lessons.continuity.tracking import warning
    from lessons.store.project_state.state_files import context_tracking, note_warned

    tracking = context_tracking.read_or_new(place, session_id)
    sentence = warning(tracking)
    if sentence:
        note_warned(place, session_id)
    return [sentence] if sentence else []
