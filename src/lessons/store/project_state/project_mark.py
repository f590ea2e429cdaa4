"""`lessons init --project`: from then on the state of a project is stored in its own folder `.claude`."""

import json
import os
from typing import NamedTuple

from lessons.errors import Refused
from lessons.store import atomic
from lessons.store.project_state import files, ignore_lines, moving
from lessons.store.project_state.project_root import mark_in
from lessons.store.project_state.state_lock import locked_state
from lessons.store.project_state.state_paths import StatePaths, mark_file


class SetUp(NamedTuple):
    """What was done, and the present locations."""

    paths: StatePaths
    already: bool  # it was set up before
    moved: list[str]  # files that were in the data home
    ignored: list[str]  # lines added to .gitignore


def set_up(paths: StatePaths, git_ignore: bool) -> SetUp:
    """Safe to run again; also finishes what a killed run left."""
    target = _in_project(paths)
    _check(target)
    if git_ignore:
        ignore_lines.check(paths.root)
    with locked_state(paths) as here:
        for folder in (target.hooks, target.state):
            os.makedirs(folder, exist_ok=True)
        ignored = ignore_lines.add(paths.root) if git_ignore else []
        source = _in_data_home(here)
        # The mark is written between copying and removing: after a kill at any point, the state is where the mark says.
        copied = moving.copy_all(source, target)
        mark = {**mark_in(paths.own), "root": paths.root, "setUp": True}
        atomic.write_text(mark_file(paths.own), json.dumps(mark) + "\n")
        moving.remove_all(copied, source)
        return SetUp(StatePaths(paths.home, paths.root), here.in_project, copied, ignored)


def is_marked(paths: StatePaths) -> bool:
    """Whether the user set this project up, even if its folders cannot be used."""
    mark = mark_in(paths.own)
    return mark.get("setUp") is True and mark.get("root") == paths.root


def _in_project(paths: StatePaths) -> StatePaths:
    base = paths.root.rstrip("/") + "/.claude"
    return _at(paths, f"{base}/hooks", f"{base}/state", in_project=True)


def _in_data_home(paths: StatePaths) -> StatePaths:
    return _at(paths, paths.own + "/hooks", paths.own + "/state", in_project=False)


def _at(paths: StatePaths, hooks: str, state: str, in_project: bool) -> StatePaths:
    there = StatePaths(paths.home, paths.root)
    there.hooks, there.state, there.in_project = hooks, state, in_project
    return there


def _check(target: StatePaths) -> None:
    if os.path.realpath(target.root) in (os.path.realpath(os.path.expanduser("~")), os.path.realpath("/")):
        raise Refused(f"{target.root} is no project: go to the folder of one and run it there.")
    for path in (os.path.dirname(target.hooks), target.hooks, target.state):
        if os.path.lexists(path) and not files.is_plain_folder(path):
            what = "a link" if os.path.islink(path) else "no folder"
            raise Refused(f"{path} is {what}, and state is only kept in plain folders of the project: put one there.")
