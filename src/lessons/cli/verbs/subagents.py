"""`lessons subagents`: lists the subagent calls of a project."""

import click
import msgspec

from lessons import paths
from lessons.cli import render
from lessons.cli.options.project import cwd_option, folder_of
from lessons.cli.options.session import session_id_of, session_option
from lessons.store.project_state.state_files import agent_invocations
from lessons.store.project_state.state_paths import state_paths_of


@click.command("subagents", short_help="List subagent calls and their tasks")
@session_option
@click.option("--agent", metavar="NAME", help="Only this kind of agent.")
@click.option("--last", "count", type=click.IntRange(min=1), help="Only the newest N.  [default: 50 on a terminal]")
@cwd_option
@render.json_option
def command(session: str | None, agent: str | None, count: int | None, cwd: str | None, as_json: bool) -> None:
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
