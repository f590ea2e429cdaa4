"""`lessons session`: shows what a project's sessions did (state, handoffs, commits, subagents), and its alerts."""

import os
import sys
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import partial
from typing import TypeVar

import click
import msgspec

from lessons import paths
from lessons.agents.found import hooked_since, newest_of, transcript_of
from lessons.agents.table import AGENTS, reader_of
from lessons.cli import render
from lessons.cli.options import cwd_option, data_home, folder_of, noun
from lessons.continuity import git
from lessons.continuity.commits import state_of
from lessons.continuity.handoff import save_handoff
from lessons.continuity.restore import many_files_read
from lessons.continuity.sessions import SessionReport, session_report
from lessons.continuity.words import whole_text
from lessons.errors import KeptOut, NotFound, Refused
from lessons.project_state import AgentInvocation, Commit, SessionKey
from lessons.promote.answered import closed
from lessons.promote.queue import export
from lessons.reviews.alert_state import AlertReport, report_alerts
from lessons.reviews.alerts import View
from lessons.reviews.review_log import run_consolidation
from lessons.scan.discover import whose
from lessons.store import logs
from lessons.store.state_files import (
    agent_invocations,
    all_handoffs,
    commit_log,
    context_tracking,
    handoffs,
    note_warned,
    session_states,
)
from lessons.store.state_paths import StatePaths, root_of, state_paths_of

Entry = TypeVar("Entry", Commit, AgentInvocation)

_MOST_IDS_NAMED = 5
_NO_COMMITS = "No commits logged for this project yet. They are logged while a session with the hook runs."
_NO_SUBAGENTS = "No subagent calls yet. They are recorded when a handoff is saved."
_NO_HANDOFFS = (
    "No handoff of this project yet. One is saved before each compaction and at the end of a session,"
    " and by `lessons session handoff save`."
)
_session_option = click.option(
    "--session", metavar="SESSION", help="Only this session: its number, or the beginning of its id."
)
_last_option = click.option(
    "--last", "count", type=click.IntRange(min=1), help="Only the newest N.  [default: 50 on a terminal]"
)


@noun("session", "Show what this project's sessions did")
@_session_option
@cwd_option
@render.json_option
def command(session: str | None, cwd: str | None) -> None:
    """Show what this project's sessions did. Without a sub-verb: the state of one, and what is wrong with its files.

    Without --session it shows the latest. The state is in .claude of a project that was set up with `lessons init
    --project`, else in the data home.
    """
    place = _place_of(cwd)
    report = session_report(place, _session_id(place, session))
    render.emit(msgspec.to_builtins(report), lambda: _print(report))
    render.warn(report.problems if not render.is_json() else [])


def _place_of(cwd: str | None) -> StatePaths:
    return state_paths_of(paths.data_home(), folder_of(cwd))


def _print(report: SessionReport) -> None:
    session = report.session
    if session is None:
        render.note(f"No session of {report.root} yet. The hooks record each session that starts.")
        return
    before = session.previous
    previous = "none"
    if before is not None:
        ended = ", which ended unexpectedly" if before.unclean_end else ""
        previous = f"number {before.session}, started {_minute(before.started_at)}{ended}"
    saves = report.auto_save.save_count if report.auto_save else 0
    last = f", the last {_minute(report.handoff.timestamp)} ({report.handoff.saved_by})" if report.handoff else ""
    files = len(report.context_tracking.files_read) if report.context_tracking else 0
    pairs = [
        ("project", report.root),
        ("state", report.state_folder),
        ("session", f"{session.session_id} (number {session.session} of this project)"),
        ("started", _minute(session.started_at)),
        ("ended", f"{_minute(session.ended_at)} ({session.end_reason})" if session.ended_at else "not yet"),
        ("previous", previous),
        ("files read", f"{files or 'none'} since the last pause"),
        ("handoffs", f"{saves} saved{last}" if saves else "none saved yet"),
        ("commits", report.commits),
        ("subagents", report.subagents),
    ]
    render.fields(pairs)


def _minute(time: str) -> str:
    return time[:16].replace("T", " ")


def _second(time: str) -> str:
    return time[:19].replace("T", " ")


def _newest(entries: Sequence[Entry], own: str | None, count: int | None) -> Sequence[Entry]:
    """Returns the newest entries of the session, or of all; on a terminal at most 50."""
    found = [each for each in entries if own in (None, each.session_id)]
    if count is None and render.is_terminal():
        count = 50
    return found[-count:] if count else found


@command.command("commits", short_help="List the commits made here, with their sessions")
@_session_option
@_last_option
@cwd_option
@render.json_option
def commits(session: str | None, count: int | None, cwd: str | None) -> None:
    """List the commits made here, with their sessions, oldest first.

    Read from git itself: every commit that a command made, an amended one with the commit it replaced. Commits
    from a pull, a checkout or a reset are left out. A commit belongs to a session if a call of that session may
    have made it.
    """
    place = _place_of(cwd)
    found = _newest(commit_log.read(place), _session_id(place, session), count)
    columns = ("time", "commit", "kind", "session", "branch", "files", "message")
    rows = [
        (
            _second(each.timestamp),
            each.short_hash,
            f"{each.kind} of {each.replaces[:7]}" if each.replaces else each.kind,
            each.session if each.session is not None else "",
            each.branch,
            each.files_changed,
            each.message,
        )
        for each in found
    ]
    empty = f"No commits logged for session {session}." if session else _NO_COMMITS
    render.emit({"commits": msgspec.to_builtins(found)}, lambda: render.table(columns, rows, empty))


@command.command("subagents", short_help="List subagent calls and their tasks")
@_session_option
@click.option("--agent", metavar="NAME", help="Only this kind of agent.")
@_last_option
@cwd_option
@render.json_option
def subagents(session: str | None, agent: str | None, count: int | None, cwd: str | None) -> None:
    """List subagent calls and their tasks in this project, oldest first.

    Read from the transcripts of its sessions whenever a handoff is saved.
    """
    place = _place_of(cwd)
    entries = [each for each in agent_invocations.read(place) if agent in (None, each.agent)]
    found = _newest(entries, _session_id(place, session), count)
    columns = ("time", "agent", "number", "session", "prompt")
    rows = [
        (_second(each.timestamp), each.agent, each.session or "", (each.session_id or "")[:8], each.prompt)
        for each in found
    ]
    document = {"invocations": msgspec.to_builtins(found)}
    render.emit(document, lambda: render.table(columns, rows, _NO_SUBAGENTS))


@noun("handoff", "Save and show what a session was doing")
@render.json_option
def handoff() -> None:
    """Save and show what a session was doing: its commands, tasks, files, commits and open questions.

    The hooks save it before a compaction, after each turn and at the end of a session. Without a subcommand it shows
    the latest one of the project.
    """
    click.get_current_context().invoke(show_handoff, session=None, cwd=None)


command.add_command(handoff)


@handoff.command("show")
@_session_option
@cwd_option
@render.json_option
def show_handoff(session: str | None, cwd: str | None) -> None:
    """Show the latest handoff of this project, or that of one session."""
    place = _place_of(cwd)
    own = _session_id(place, session)
    found = handoffs.read_latest(place) if own is None else handoffs.read_of(place, own)
    if found is None:
        unknown = f"No handoff of session {own}. `lessons session handoff list` lists them all."
        raise NotFound(_NO_HANDOFFS if own is None else unknown)
    render.emit(msgspec.to_builtins(found), partial(render.say, whole_text(found)))


@handoff.command("list")
@cwd_option
@render.json_option
def list_handoffs(cwd: str | None) -> None:
    """List the handoffs of this project, the newest first."""
    found = all_handoffs(_place_of(cwd))
    columns = ("time", "saved by", "branch", "tasks", "session", "last request")
    rows = [
        (
            _minute(each.timestamp),
            each.saved_by,
            each.git.branch,
            len(each.tasks),
            each.session_id[:8],
            each.last_request[:200],
        )
        for each in found
    ]
    document = {"handoffs": [msgspec.to_builtins(each) for each in found]}
    render.emit(document, lambda: render.table(columns, rows, _NO_HANDOFFS))


@handoff.command("save")
@click.option("--session", "session_id", metavar="ID", help="The session.  [default: from the name of the transcript]")
@click.option("--transcript", metavar="FILE", help="The transcript file.  [default: the newest of this project]")
@click.option("--agent", type=click.Choice([*AGENTS]), help="Whose session.  [default: any agent's]")
@cwd_option
@render.json_option
def save_now(session_id: str | None, transcript: str | None, agent: str | None, cwd: str | None) -> None:
    """Save what a session was doing, from its transcript and from git.

    Reads only what is new since the last time. Secrets are removed before anything is stored.
    """
    folder, home = folder_of(cwd), data_home()
    root = root_of(folder)
    writer, file = _transcript([agent] if agent else [*AGENTS], root, transcript, session_id)
    identifier = session_id or reader_of(writer).stem(file)
    found = save_handoff(SessionKey(home, root, identifier, writer), file, "person", datetime.now(UTC))
    counts = (
        (len(found.worked) + len(found.failed), "command"),
        (len(found.tasks), "open task"),
        (len(found.files_edited), "edited file"),
        (len(found.questions), "open question"),
    )
    summary = ", ".join(render.many(count, what) for count, what in counts)
    partial_read = f"\n{found.partial}" if found.partial else ""
    done = f"Saved the handoff of session {found.session_id}: {summary}. `lessons session handoff` prints it."
    render.emit(msgspec.to_builtins(found), lambda: render.say(done + partial_read))
    place = state_paths_of(home, folder)
    if warning := many_files_read(msgspec.to_builtins(context_tracking.read_or_new(place, identifier))):
        note_warned(place, identifier)
        render.warn([warning])


def _transcript(agents: list[str], root: str, transcript: str | None, session_id: str | None) -> tuple[str, str]:
    """Returns the agent and its transcript; derives what is not given from the rest."""
    if transcript is not None:
        if not os.path.isfile(transcript):
            raise NotFound(f"--transcript {transcript!r} is not a file: give an existing transcript.")
        writer = whose(transcript, agents)
        return writer if isinstance(writer, str) else agents[0], os.path.abspath(transcript)
    if session_id:
        for agent in agents:
            if file := transcript_of(agent, session_id):
                return agent, file
        raise NotFound(f"No transcript of session {session_id!r}: give its file with --transcript.")
    if (newest := newest_of(agents, root)) is None:
        raise NotFound(f"No transcript of {root}: give its file with --transcript.")
    return newest


def _session_id(place: StatePaths, given: str | None) -> str | None:
    """Returns the session id for a number or the beginning of an id; a number takes precedence."""
    if given is None:
        return None
    # Every session id with its number, from the logs and from the state files.
    logged: list[Commit | AgentInvocation] = [*commit_log.read(place), *agent_invocations.read(place)]
    numbers = {each.session_id: each.session for each in logged if each.session_id}
    numbers |= {each.session_id: each.session for each in all_handoffs(place)}
    numbers |= {each.session_id: each.session for each in session_states.read_all(place)}
    found = [name for name, number in numbers.items() if str(number) == given]
    found = found or [name for name in numbers if name == given]
    found = found or [name for name in numbers if given and name.startswith(given)]
    if not found:
        remedy = "give its number or the beginning of its id (`lessons session handoff list` lists the ids)"
        raise NotFound(f"No session {given!r} of {place.root}: {remedy}.")
    if len(found) > 1:
        named = ", ".join(found[:_MOST_IDS_NAMED])
        raise Refused(f"{given!r} matches {len(found)} sessions ({named}): write more of the id.")
    return found[0]


_SEVERITIES = {"error": "red", "warning": "yellow", "info": "cyan"}


@command.command("alerts", short_help="Show what needs your attention")
@click.option("--ack", metavar="ID", multiple=True, help="Acknowledge this alert: it is shown again only if it grows.")
@click.option("--all", "everything", is_flag=True, help="Acknowledge all of them.")
@click.option("--auto", "automatic", is_flag=True, hidden=True, help="Prepare the line of the next session start.")
@cwd_option
@render.json_option
def alerts(ack: tuple[str, ...], everything: bool, automatic: bool, cwd: str | None) -> None:
    """Show what needs your attention, with one action for each, and what has changed since you last looked.

    A session start shows new alerts in one line, each at most 3 times. Alerts that could not be measured are listed as
    such; missing data never counts as healthy.
    """
    if ack and everything:
        raise click.UsageError("Give --ack or --all, not both.")
    place = state_paths_of(data_home(), folder_of(cwd))
    chosen = ack or (() if everything else None)
    try:
        if automatic:
            _consolidate(place)
        view = View(place, time.time(), _uncommitted, hooked_since, closed)
        report = report_alerts(view, by_person=not automatic, acknowledge=chosen)
    except Exception as fault:
        if automatic:  # in the background nobody reads the output
            logs.record_fault(place.home, "alerts", logs.describe_fault(fault))
        raise
    alerts = []
    for alert in report.alerts:
        record = report.records.get(alert.id)
        alerts.append(
            {
                **{name: getattr(alert, name) for name in ("id", "severity", "message", "action")},
                "since": record.since if record else "",
                "acknowledged": bool(record and record.acknowledged),
                "shown": record.shown if record else 0,
            }
        )
    delta = msgspec.to_builtins(report.delta) if report.delta else None
    document = {"alerts": alerts, "noData": report.no_data, "delta": delta}
    acknowledged = {str(alert["id"]) for alert in alerts if alert["acknowledged"]}
    render.emit(document, lambda: _print_alerts(report, acknowledged, is_acknowledging=chosen is not None))


def _uncommitted(root: str) -> int | None:
    return state_of(root).uncommitted_count if git.has_repository(root) else None


def _consolidate(place: StatePaths) -> None:
    try:
        if run_consolidation(place, automatic=True) is not None:
            export(place.home)
    except KeptOut:
        pass


def _print_alerts(report: AlertReport, acknowledged: set[str], is_acknowledging: bool) -> None:
    for alert in report.alerts:
        state = " (acknowledged)" if alert.id in acknowledged else ""
        level = click.style(alert.severity, fg=_SEVERITIES[alert.severity])
        text = render.printable(f"{alert.severity} {alert.id}{state}: {alert.message} Run `{alert.action}`.")
        click.echo(level + render.folded(text, sys.stdout, hanging=2).removeprefix(alert.severity))
    if not report.alerts:
        render.say("No alerts." if not report.no_data else "No alerts among what could be measured.")
    if report.delta:
        parts = [(name, getattr(report.delta, name)) for name in ("new", "worse", "resolved")]
        changes = "; ".join(f"{name}: {', '.join(ids)}" for name, ids in parts if ids) or "nothing has changed"
        render.note(f"Since {report.delta.since[:16].replace('T', ' ')}: {changes}.")
    for name, reason in report.no_data.items():
        render.note(f"not measured {name}: {reason}.")
    if not is_acknowledging and any(alert.id not in acknowledged for alert in report.alerts):
        render.note("`lessons alerts --ack ID` (or --all) stops showing it at session starts.")
