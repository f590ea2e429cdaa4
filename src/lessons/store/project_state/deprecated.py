"""Files of earlier tools that nothing uses any more: found in a project's state, moved out of it and told."""

import os
import shutil
from itertools import count

from lessons.store.project_state.files import is_plain_folder
from lessons.store.project_state.state_lock import locked_state
from lessons.store.project_state.state_paths import StatePaths

HOOKS = (".handoff-state.json", ".agent-trigger-state.json")
STATE = ("pending-reviews.json",)


def clean_up(place: StatePaths) -> list[str]:
    """Move them into the data home, where nothing is lost; the new paths of those that were there."""
    if not _present(place):
        return []
    with locked_state(place) as here:
        return [_move(here, path) for path in _present(here)]


def moved(place: StatePaths) -> list[str]:
    """What was moved away so far."""
    folder = _folder(place)
    try:
        return [f"{folder}/{name}" for name in sorted(os.listdir(folder))] if is_plain_folder(folder) else []
    except OSError:
        return []


def _present(place: StatePaths) -> list[str]:
    paths = [*(f"{place.hooks}/{name}" for name in HOOKS), *(f"{place.state}/{name}" for name in STATE)]
    return [path for path in paths if os.path.isfile(path) and not os.path.islink(path)]


def _move(place: StatePaths, path: str) -> str:
    os.makedirs(_folder(place), mode=0o700, exist_ok=True)
    base = f"{_folder(place)}/{os.path.basename(path).lstrip('.')}"
    names = (base if number == 1 else f"{base}-{number}" for number in count(1))
    return shutil.move(path, next(name for name in names if not os.path.lexists(name)))


def _folder(place: StatePaths) -> str:
    return place.own + "/deprecated"
