"""`project.json` in the data home: which project its folder belongs to, and what the user decided for it."""

import json
import os

from lessons.store import atomic
from lessons.store.project_state.state_paths import StatePaths, mark_file

_LARGEST_MARK = 65_536


def note_root(paths: StatePaths) -> None:
    """Records the root: without it a project could not be found by its path. The caller holds the lock."""
    if not os.path.lexists(mark_file(paths.own)):
        atomic.write_text(mark_file(paths.own), json.dumps({"root": paths.root}) + "\n")


def root_noted_in(own: str) -> str:
    """Returns the root of the project with this folder; empty if an earlier version did not record it."""
    root = mark_in(own).get("root")
    return root if isinstance(root, str) else ""


def mark_in(own: str) -> dict[str, object]:
    try:
        with open(mark_file(own), "rb") as file:
            mark = json.loads(file.read(_LARGEST_MARK))
    except (OSError, ValueError, RecursionError):
        return {}
    return mark if isinstance(mark, dict) else {}
