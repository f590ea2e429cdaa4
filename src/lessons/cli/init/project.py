"""`lessons init --project`: stores the state of this project's sessions in the project."""

import os

from lessons.cli import render
from lessons.cli.home import data_home
from lessons.store.project_state import project_mark
from lessons.store.project_state.project_mark import SetUp
from lessons.store.project_state.state_paths import mark_file, state_paths_of


def run(as_json: bool) -> int:
    place = state_paths_of(data_home(), os.getcwd())
    # Only a repository needs a .gitignore.
    done = project_mark.set_up(place, git_ignore=os.path.lexists(f"{place.root}/.git"))
    render.emit(as_json, _document(done), lambda: _print(done))
    return 0


def _document(done: SetUp) -> dict[str, object]:
    place = done.paths
    return {
        "root": place.root,
        "hooks": place.hooks,
        "state": place.state,
        "mark": mark_file(place.own),
        "already": done.already,
        "moved": len(done.moved),
        "ignored": done.ignored,
    }


def _print(done: SetUp) -> None:
    place = done.paths
    was = "was already set up: its" if done.already else "is set up: its"
    render.say(f"{place.root} {was} sessions keep their state in .claude/hooks and .claude/state.")
    if done.moved:
        files = "1 file was" if len(done.moved) == 1 else f"{len(done.moved)} files were"
        render.say(f"{files} moved there from {place.own}.")
    if done.ignored:
        render.say(f".gitignore has {len(done.ignored)} new lines, so that the state is not committed.")
    render.say(f"To undo it, delete {mark_file(place.own)}.")
