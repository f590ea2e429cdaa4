"""The option with which a verb is told of one session, and which of a project's sessions that is."""

import click

from lessons.errors import NotFound, Refused
from lessons.session import AgentInvocation, Commit
from lessons.store.project_state import handoff as handoffs
from lessons.store.project_state import session_state
from lessons.store.project_state.state_files import agent_invocations, commit_log
from lessons.store.project_state.state_paths import StatePaths

session_option = click.option(
    "--session", metavar="SESSION", help="Only of this session: its number, or the beginning of its id."
)
_NAMED = 5


def session_id_of(place: StatePaths, given: str) -> str:
    """A number that is a session's own wins over the beginning of an id."""
    known = _known(place)
    found = [name for name, number in known.items() if str(number) == given]
    found = found or [name for name in known if name == given]
    found = found or [name for name in known if given and name.startswith(given)]
    if not found:
        remedy = "name its number or the beginning of its id (`lessons handoff list` shows the ids)"
        raise NotFound(f"No session {given!r} of {place.root} is known: {remedy}.")
    if len(found) > 1:
        named = ", ".join(found[:_NAMED])
        raise Refused(f"{given!r} fits {len(found)} sessions ({named}): write more of the id.")
    return found[0]


def _known(place: StatePaths) -> dict[str, int | None]:
    """Each id with its number; the logs still tell of sessions whose own files are gone."""
    logged: list[Commit | AgentInvocation] = [*commit_log.read(place), *agent_invocations.read(place)]
    known = {each.session_id: each.session for each in logged if each.session_id}
    known |= {each.session_id: each.session for each in handoffs.all_of(place)}
    return known | {each.session_id: each.session for each in session_state.all_of(place)}
