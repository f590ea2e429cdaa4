"""`agent-invocations.jsonl`: the subagents that were called in, each call once, the newest 300 to 500 of them out."""

from collections.abc import Sequence

from lessons.session import AgentInvocation
from lessons.store.project_state import lines
from lessons.store.project_state.state_lock import locked_state
from lessons.store.project_state.state_paths import Place


def file_of(place: Place) -> str:
    return place.state + "/agent-invocations.jsonl"


def read(place: Place) -> list[AgentInvocation]:
    """The newest last."""
    return lines.read(place, file_of(place), AgentInvocation)


def add(place: Place, invocations: Sequence[AgentInvocation]) -> int:
    """How many were new."""
    if not invocations:
        return 0
    with locked_state(place) as here:
        return lines.add(here, file_of(here), invocations, key)


def key(invocation: AgentInvocation) -> str | None:
    return invocation.tool_use_id
