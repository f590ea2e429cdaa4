"""`commit-log.jsonl`: the commits of a project in, each once, the newest 300 to 500 of them out."""

from collections.abc import Sequence

from lessons.session import Commit
from lessons.store.project_state import lines
from lessons.store.project_state.state_lock import locked_state
from lessons.store.project_state.state_paths import Place


def file_of(place: Place) -> str:
    return place.state + "/commit-log.jsonl"


def read(place: Place) -> list[Commit]:
    """The newest last."""
    return lines.read(place, file_of(place), Commit)


def add(place: Place, commits: Sequence[Commit]) -> int:
    """How many were new."""
    if not commits:
        return 0
    with locked_state(place) as here:
        return lines.add(here, file_of(here), commits, key)


def key(commit: Commit) -> str:
    return commit.hash
