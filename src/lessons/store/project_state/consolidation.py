"""`consolidation.json`: which patterns recur in the review log, as of the last consolidation."""

from lessons.code_review import Consolidation
from lessons.store.project_state.state_files import consolidation
from lessons.store.project_state.state_paths import StatePaths

file_of, read = consolidation.file_of, consolidation.read


def write(paths: StatePaths, value: Consolidation) -> None:
    consolidation.write(paths, value)
