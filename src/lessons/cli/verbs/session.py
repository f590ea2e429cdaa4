"""`lessons session`: shows what a project's sessions did: state, handoffs, commits, subagents."""

import os
from datetime import UTC, datetime
from functools import partial

import click
import msgspec

from lessons import paths
from lessons.agents.table import AGENTS
from lessons.cli import render
from lessons.cli.home import data_home
from lessons.cli.options import cwd_option, folder_of, noun
from lessons.continuity.sessions import SessionReport, session_report
from lessons.errors import NotFound, Refused
from lessons.project_state import AgentInvocation, Commit, Handoff, SessionKey, SessionState
from lessons.store.state_files import agent_invocations, all_handoffs, commit_log, handoffs, session_states
from lessons.store.state_paths import StatePaths, root_of, state_paths_of

session_option = click.option(
    "--session", metavar="SESSION", help="Only this session: its number, or the beginning of its id."
)
_MOST_IDS_NAMED = 5
_last_option = click.option(
    "--last", "count", type=click.IntRange(min=1), help="Only the newest N.  [default: 50 on a terminal]"
)


@noun("session", "Show what this project's sessions did", {"alerts": "alerts:command"})
@session_option
@cwd_option
@render.json_option
def command(session: str | None, cwd: str | None, as_json: bool) -> None:
    """Show what this project's sessions did. Without a sub-verb: the state of one, and what is wrong with its files.

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


_EMPTY = "No commits logged for this project yet. They are logged while a session with the hook runs."


@command.command("commits", short_help="List the commits made here, with their sessions")
@session_option
@_last_option
@cwd_option
@render.json_option
def commits(session: str | None, count: int | None, cwd: str | None, as_json: bool) -> None:
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
    rows = [_commit_row(commit) for commit in commits]
    document = {"commits": msgspec.to_builtins(commits)}
    render.emit(as_json, document, lambda: render.table(columns, rows, empty, below=1))


def _commit_row(commit: Commit) -> tuple[object, ...]:
    moment = commit.timestamp[:19].replace("T", " ")
    kind = f"{commit.kind} of {commit.replaces[:7]}" if commit.replaces else commit.kind
    session = commit.session if commit.session is not None else ""
    return (moment, commit.short_hash, kind, session, commit.branch, commit.files_changed, commit.message)


@command.command("subagents", short_help="List subagent calls and their tasks")
@session_option
@click.option("--agent", metavar="NAME", help="Only this kind of agent.")
@_last_option
@cwd_option
@render.json_option
def subagents(session: str | None, agent: str | None, count: int | None, cwd: str | None, as_json: bool) -> None:
    """List subagent calls and their tasks in this project, oldest first.

    Read from the transcripts of its sessions whenever a handoff is saved.
    """
    place = state_paths_of(paths.data_home(), folder_of(cwd))
    own = session_id_of(place, session) if session is not None else None
    invocations = agent_invocations.read(place)
    found = [each for each in invocations if own in (None, each.session_id) and agent in (None, each.agent)]
    if count is None and render.is_terminal() and not as_json:
        count = 50
    found = found[-count:] if count else found
    rows = [
        (
            each.timestamp[:19].replace("T", " "),
            each.agent,
            each.session or "",
            (each.session_id or "")[:8],
            each.prompt,
        )
        for each in found
    ]
    columns = ("time", "agent", "number", "session", "prompt")
    empty = "No subagent calls yet. They are recorded when a handoff is saved."
    document = {"invocations": [msgspec.to_builtins(each) for each in found]}
    render.emit(as_json, document, lambda: render.table(columns, rows, empty, below=1))


_NONE_YET = (
    "No handoff of this project yet. One is saved before each compaction and at the end of a session,"
    " and by `lessons session handoff save`."
)


@noun("handoff", "Save and show what a session was doing")
@render.json_option
def handoff(as_json: bool) -> None:
    """Save and show what a session was doing: its commands, tasks, files, commits and open questions.

    The hooks save it before a compaction, after each turn and at the end of a session. Without a subcommand it shows
    the latest one of the project.
    """
    click.get_current_context().invoke(show_handoff, as_json=as_json, session=None, cwd=None)


command.add_command(handoff)


@handoff.command("show")
@session_option
@cwd_option
@render.json_option
def show_handoff(session: str | None, cwd: str | None, as_json: bool) -> None:
    """Show the latest handoff of this project, or that of one session."""
    from lessons.continuity.words import whole_text

    found = _chosen(state_paths_of(paths.data_home(), folder_of(cwd)), session)
    if found is None:
        raise NotFound(_NONE_YET)
    render.emit(as_json, msgspec.to_builtins(found), partial(render.say, whole_text(found)))


@handoff.command("list")
@cwd_option
@render.json_option
def list_handoffs(cwd: str | None, as_json: bool) -> None:
    """List the handoffs of this project, the newest first."""
    found = all_handoffs(state_paths_of(paths.data_home(), folder_of(cwd)))
    rows = [
        (each.timestamp[:16].replace("T", " "), each.saved_by, each.git.branch, len(each.tasks), *_about(each))
        for each in found
    ]
    columns = ("time", "saved by", "branch", "tasks", "session", "last request")
    document = {"handoffs": [msgspec.to_builtins(each) for each in found]}
    render.emit(as_json, document, lambda: render.table(columns, rows, _NONE_YET, below=1))


@handoff.command("save")
@click.option("--session", "session_id", metavar="ID", help="The session.  [default: from the name of the transcript]")
@click.option("--transcript", metavar="FILE", help="The transcript file.  [default: the newest of this project]")
@click.option("--agent", type=click.Choice([*AGENTS]), help="Whose session.  [default: any agent's]")
@cwd_option
@render.json_option
def save_now(session_id: str | None, transcript: str | None, agent: str | None, cwd: str | None, as_json: bool) -> None:
    """Save what a session was doing, from its transcript and from git.

    Reads only what is new since the last time. Secrets are removed before anything is stored.
    """
    from lessons.continuity.handoff import save_handoff

    folder, home = folder_of(cwd), data_home()
    writer, file, identifier = _which([agent] if agent else [*AGENTS], folder, transcript, session_id)
    found = save_handoff(SessionKey(home, root_of(folder), identifier, writer), file, "person", datetime.now(UTC))
    render.emit(as_json, msgspec.to_builtins(found), lambda: render.say(_saved(found)))
    render.warn(_warning(state_paths_of(home, folder), identifier))


def _which(agents: list[str], folder: str, transcript: str | None, session_id: str | None) -> tuple[str, str, str]:
    """Returns the agent, its transcript and the session id; derives what is not given from the rest."""
    from lessons.agents.found import newest_of, transcript_of
    from lessons.agents.table import reader_of

    if transcript is not None:
        if not transcript or not os.path.isfile(transcript):
            raise NotFound(f"--transcript {transcript!r} is not a file: give an existing transcript.")
        found = _writer_of(agents, transcript), os.path.abspath(transcript)
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


def _writer_of(agents: list[str], transcript: str) -> str:
    """Returns the agent that wrote the file; if unknown, the first that may have."""
    from lessons.scan.discover import whose

    found = whose(transcript, agents)
    return found if isinstance(found, str) else agents[0]


def _chosen(place: StatePaths, session: str | None) -> Handoff | None:
    """Returns the latest one, if any; a session that is named must have one."""
    if session is None:
        return handoffs.read_latest(place)
    own = session_id_of(place, session)
    found = handoffs.read_of(place, own)
    if found is None:
        raise NotFound(f"No handoff of session {own}. `lessons session handoff list` lists them all.")
    return found


def session_id_of(place: StatePaths, given: str) -> str:
    """Returns the session id for a number or the beginning of an id; a number takes precedence."""
    known = _known(place)
    found = [name for name, number in known.items() if str(number) == given]
    found = found or [name for name in known if name == given]
    found = found or [name for name in known if given and name.startswith(given)]
    if not found:
        remedy = "give its number or the beginning of its id (`lessons session handoff list` lists the ids)"
        raise NotFound(f"No session {given!r} of {place.root}: {remedy}.")
    if len(found) > 1:
        named = ", ".join(found[:_MOST_IDS_NAMED])
        raise Refused(f"{given!r} matches {len(found)} sessions ({named}): write more of the id.")
    return found[0]


def _known(place: StatePaths) -> dict[str, int | None]:
    """Returns every session id with its number, from the state files and from the logs."""
    logged: list[Commit | AgentInvocation] = [*commit_log.read(place), *agent_invocations.read(place)]
    known = {each.session_id: each.session for each in logged if each.session_id}
    known |= {each.session_id: each.session for each in all_handoffs(place)}
    return known | {each.session_id: each.session for each in session_states.read_all(place)}


def _about(handoff: Handoff) -> tuple[str, str]:
    return handoff.session_id[:8], handoff.last_request[:200]


def _saved(handoff: Handoff) -> str:
    counts = (
        (len(handoff.worked) + len(handoff.failed), "command"),
        (len(handoff.tasks), "open task"),
        (len(handoff.files_edited), "edited file"),
        (len(handoff.questions), "open question"),
    )
    summary = ", ".join(f"{count} {what}{'s' * (count != 1)}" for count, what in counts)
    partial = f"\n{handoff.partial}" if handoff.partial else ""
    done = f"Saved the handoff of session {handoff.session_id}: {summary}."
    return f"{done} `lessons session handoff` prints it.{partial}"


def _warning(place: StatePaths, session_id: str) -> list[str]:
    """Returns a warning with the number of distinct files read."""
    from lessons.continuity.restore import many_files_read
    from lessons.store.state_files import context_tracking, note_warned

    tracking = context_tracking.read_or_new(place, session_id)
    sentence = many_files_read(msgspec.to_builtins(tracking))
    if sentence:
        note_warned(place, session_id)
    return [sentence] if sentence else []
