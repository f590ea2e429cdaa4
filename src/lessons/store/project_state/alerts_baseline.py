"""`alerts-baseline.json`: what the user saw and acknowledged; one per project, one for the installation."""

from collections.abc import Callable

from lessons.alert import AlertsBaseline
from lessons.store.project_state import documents
from lessons.store.project_state.state_files import alerts_baseline
from lessons.store.project_state.state_lock import locked_state
from lessons.store.project_state.state_paths import StatePaths

file_of, read = alerts_baseline.file_of, alerts_baseline.read


def change(
    paths: StatePaths, changed: Callable[[AlertsBaseline], AlertsBaseline]
) -> tuple[AlertsBaseline, AlertsBaseline]:
    """Writes the result of the function if it differs; returns both."""
    with locked_state(paths) as here:
        before = read(here)
        after = changed(before)
        if after != before:
            documents.write(here, file_of(here), after)
        return before, after
