"""Finds the state folders of every project of a data home, there and in the project itself."""

import os

from lessons import paths
from lessons.store.project_state.project_root import root_noted_in
from lessons.store.project_state.state_paths import StatePaths


def places(home: str) -> list[StatePaths]:
    """Returns two entries for a project with its own state: its folder in the data home, and the project.

    The root is empty for state of an earlier version, which did not record it.
    """
    folder = paths.projects_folder(home)
    try:
        names = sorted(os.listdir(folder))
    except (FileNotFoundError, NotADirectoryError):
        return []
    found = []
    for own in (f"{folder}/{name}" for name in names if os.path.isdir(f"{folder}/{name}")):
        root = root_noted_in(own)
        found.append(_in_data_home(home, own, root))
        in_project = StatePaths(home, root)
        if root and in_project.own == own and in_project.in_project:
            found.append(in_project)
    return found


def _in_data_home(home: str, own: str, root: str) -> StatePaths:
    place = StatePaths(home, root)
    place.own, place.hooks, place.state, place.in_project = own, f"{own}/hooks", f"{own}/state", False
    return place
