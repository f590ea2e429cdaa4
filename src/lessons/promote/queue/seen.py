"""Counts how often a mistake was seen: for one candidate, or for near duplicates that are decided together."""

from collections.abc import Sequence
from typing import NamedTuple

from lessons.candidate import FAILURE
from lessons.promote.queue.candidate import Candidate


class Seen(NamedTuple):
    """Figures of the calls that the candidates list, each counted once."""

    times: int
    sessions: int
    projects: list[str]  # names
    project_count: int  # two projects may have the same name
    minutes_lost: float
    first: str
    last: str


def seen_of(candidates: Sequence[Candidate]) -> Seen:
    evidence = [each for candidate in candidates for each in candidate.evidence]
    # Two remarks of a person about one call count twice.
    calls = {
        (candidate.tier == FAILURE and each.tool_use_id) or (each.session_id, each.uuid, each.time)
        for candidate in candidates
        for each in candidate.evidence
    }
    times = [each.time for each in evidence if each.time]
    projects = list(dict.fromkeys(name for candidate in candidates for name in candidate.projects))
    return Seen(
        len(calls),
        len({each.session_id for each in evidence}),
        projects,
        max(len(projects), *(candidate.project_count for candidate in candidates)),
        sum(candidate.minutes_lost for candidate in candidates),
        min(times, default=""),
        max(times, default=""),
    )
