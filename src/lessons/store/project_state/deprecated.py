"""Moves files of earlier tools, which nothing uses any more, out of a project's state."""

import os
import shutil
from itertools import count

from lessons.store.private_folder import make_private_folders
from lessons.store.project_state.files import is_plain_folder
from lessons.store.project_state.state_lock import locked_state
from lessons.store.project_state.state_paths import StatePaths

HOOKS = (".handoff-state.json", ".agent-trigger-state.json")
STATE = ("pending-reviews.json",)


def clean_up(paths: StatePaths) -> list[str]:
    """Moves them into the data home, so that nothing is lost; returns the new paths."""
    if not _present(paths):
        return []
    with locked_state(paths) as here:
        return [_move(here, path) for path in _present(here)]


def moved(paths: StatePaths) -> list[str]:
    folder = _folder(paths)
    try:
        return [f"{folder}/{name}" for name in sorted(os.listdir(folder))] if is_plain_folder(folder) else []
    except OSError:
        return []


def _present(paths: StatePaths) -> list[str]:
    found = [*(f"{paths.hooks}/{name}" for name in HOOKS), *(f"{paths.state}/{name}" for name in STATE)]
    return [path for path in found if os.path.isfile(path) and not os.path.islink(path)]


def _move(paths: StatePaths, path: str) -> str:
    make_private_folders(_folder(paths))
    base = f"{_folder(paths)}/{os.path.basename(path).lstrip('.')}"
    names = (base if number == 1 else f"{base}-{number}" for number in count(1))
    return shutil.move(path, next(name for name in names if not os.path.lexists(name)))


def _folder(paths: StatePaths) -> str:
    return paths.own + "/deprecated"
