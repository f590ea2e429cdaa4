"""The --session option, and which session of a project it means."""

import click

from lessons.errors import NotFound, Refused
from lessons.session import AgentInvocation, Commit
from lessons.store.project_state import handoff as handoffs
from lessons.store.project_state import session_state
from lessons.store.project_state.state_files import agent_invocations, commit_log
from lessons.store.project_state.state_paths import StatePaths

session_option = click.option(
    "--session", metavar="SESSION", help="Only this session: its number, or the beginning of its id."
)
_MOST_IDS_NAMED = 5


def session_id_of(place: StatePaths, given: str) -> str:
    """Returns the session id for a number or the beginning of an id; a number takes precedence."""
    known = _known(place)
    found = [name for name, number in known.items() if str(number) == given]
    found = found or [name for name in known if name == given]
    found = found or [name for name in known if given and name.startswith(given)]
    if not found:
        remedy = "give its number or the beginning of its id (`lessons handoff list` lists the ids)"
        raise NotFound(f"No session {given!r} of {place.root}: {remedy}.")
    if len(found) > 1:
        named = ", ".join(found[:_MOST_IDS_NAMED])
        raise Refused(f"{given!r} matches {len(found)} sessions ({named}): write more of the id.")
    return found[0]


def _known(place: StatePaths) -> dict[str, int | None]:
    """Returns every session id with its number, from the state files and from the logs."""
    logged: list[Commit | AgentInvocation] = [*commit_log.read(place), *agent_invocations.read(place)]
    known = {each.session_id: each.session for each in logged if each.session_id}
    known |= {each.session_id: each.session for each in handoffs.all_of(place)}
    return known | {each.session_id: each.session for each in session_state.all_of(place)}
