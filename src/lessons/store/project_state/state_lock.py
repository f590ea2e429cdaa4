"""A project's place in, the right to write its state out, and where that state lies at this moment."""

from collections.abc import Iterator
from contextlib import contextmanager

from lessons.store.lock import locked
from lessons.store.project_state.state_paths import StatePaths

_SECONDS = 5.0


@contextmanager
def locked_state(place: StatePaths, seconds: float = _SECONDS) -> Iterator[StatePaths]:
    """One writer per project at a time; Busy after the wait.

    The lock lies in the data home, whose files no repository can lay out beforehand. Who waited for it may have
    waited for `lessons init --project`: what is written belongs to where the state lies now.
    """
    with locked(place.own + "/state", seconds):
        yield StatePaths(place.home, place.root)
