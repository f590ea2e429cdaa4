"""The lock that a writer of a project's state holds."""

from collections.abc import Iterator
from contextlib import contextmanager

from lessons.store.lock import locked
from lessons.store.project_state.project_root import note_root
from lessons.store.project_state.state_paths import StatePaths

_WAIT_SECONDS = 5.0


@contextmanager
def locked_state(paths: StatePaths, seconds: float = _WAIT_SECONDS) -> Iterator[StatePaths]:
    """Allows one writer per project at a time; raises Busy after the wait.

    The lock is in the data home, whose files no repository can create beforehand. `lessons init --project` may have
    held it: the state is written to its present location.
    """
    with locked(paths.own + "/state", seconds):
        note_root(paths)
        yield StatePaths(paths.home, paths.root)
