"""`lessons init --project`: a project in; its state kept in its own folder `.claude` from now on out."""

import json
import os
from typing import NamedTuple

from lessons.errors import Refused
from lessons.store import atomic
from lessons.store.project_state import files, ignore_lines, moving
from lessons.store.project_state.state_lock import locked_state
from lessons.store.project_state.state_paths import StatePaths, mark_file

_LARGEST = 65_536


class SetUp(NamedTuple):
    """What was done, and where things are now."""

    place: StatePaths
    already: bool  # it was set up before
    moved: list[str]  # files that lay in the data home
    ignored: list[str]  # lines added to .gitignore


def set_up(place: StatePaths, git_ignore: bool) -> SetUp:
    """Doing it again does nothing twice, and finishes what a kill has left."""
    target = _in_project(place)
    _check(target)
    if git_ignore:
        ignore_lines.check(place.root)
    with locked_state(place) as here:
        for folder in (target.hooks, target.state):
            os.makedirs(folder, exist_ok=True)
        ignored = ignore_lines.add(place.root) if git_ignore else []
        source = _in_data_home(here)
        # The mark comes between copying and removing: whoever is killed, the state is where the mark says.
        copied = moving.copy_all(source, target)
        atomic.write_text(mark_file(place.own), json.dumps({**_mark(place), "root": place.root, "setUp": True}) + "\n")
        moving.remove_all(copied, source)
        return SetUp(StatePaths(place.home, place.root), here.in_project, copied, ignored)


def is_marked(place: StatePaths) -> bool:
    """Whether the person set this project up, be its folders fit for it or not."""
    mark = _mark(place)
    return mark.get("setUp") is True and mark.get("root") == place.root


def _mark(place: StatePaths) -> dict[str, object]:
    try:
        with open(mark_file(place.own), "rb") as file:
            mark = json.loads(file.read(_LARGEST))
    except (OSError, ValueError, RecursionError):
        return {}
    return mark if isinstance(mark, dict) else {}


def _in_project(place: StatePaths) -> StatePaths:
    base = place.root.rstrip("/") + "/.claude"
    return _at(place, f"{base}/hooks", f"{base}/state", in_project=True)


def _in_data_home(place: StatePaths) -> StatePaths:
    return _at(place, place.own + "/hooks", place.own + "/state", in_project=False)


def _at(place: StatePaths, hooks: str, state: str, in_project: bool) -> StatePaths:
    there = StatePaths(place.home, place.root)
    there.hooks, there.state, there.in_project = hooks, state, in_project
    return there


def _check(target: StatePaths) -> None:
    if os.path.realpath(target.root) in (os.path.realpath(os.path.expanduser("~")), os.path.realpath("/")):
        raise Refused(f"{target.root} is no project: go to the folder of one and run it there.")
    for path in (os.path.dirname(target.hooks), target.hooks, target.state):
        if os.path.lexists(path) and not files.is_plain_folder(path):
            what = "a link" if os.path.islink(path) else "no folder"
            raise Refused(f"{path} is {what}, and state is only kept in plain folders of the project: put one there.")
