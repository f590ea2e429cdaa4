"""Lists what is wrong with the state of a project, one sentence each; changes nothing."""

import os
import time

from lessons.store.project_state import deprecated, documents, lines, project_mark, state_files
from lessons.store.project_state.files import is_plain_folder
from lessons.store.project_state.state_paths import StatePaths

_RECENT_SECONDS = 7 * 24 * 3600


def problems_of(paths: StatePaths, session_id: str | None = None) -> list[str]:
    """Returns the problems of the project's files, and of one session's own."""
    folder = paths.session(session_id) if session_id is not None else None
    kinds = {**state_files.documents_of(paths), **(state_files.documents_in(folder) if folder else {})}
    looked = {path: documents.problem_in(paths, path, kind) for path, kind in kinds.items()}
    found = {path: f"{problem}: it counts as empty" for path, problem in looked.items() if problem}
    found |= {path: lines.problem_in(paths, path, kind) for path, kind in state_files.logs_of(paths).items()}
    damaged = [f"{path} {problem}." for path, problem in found.items() if problem]
    asides = [aside for each in (paths.hooks, paths.state, folder) if each for aside in _asides(each)]
    set_aside = [f"{aside} was damaged and set aside: delete it when you no longer need it." for aside in asides]
    moved = [path for path in deprecated.moved(paths) if _is_recent(path)]
    unused = [f"{path} was moved there from the project's state, where nothing uses it any more." for path in moved]
    return [*_not_in_project(paths), *damaged, *set_aside, *unused]


def _not_in_project(paths: StatePaths) -> list[str]:
    """Reports if the user set the project up, but its folders cannot be used."""
    if paths.in_project or not project_mark.is_marked(paths):
        return []
    base = paths.root.rstrip("/") + "/.claude"
    wrong = [path for path in (base, f"{base}/hooks", f"{base}/state") if not is_plain_folder(path)]
    if not wrong:
        return []
    what = "is a link" if os.path.islink(wrong[0]) else "is no folder"
    remedy = "put a plain folder there or run `lessons init --project` again"
    return [f"{wrong[0]} {what}, so the state of this project is kept in {paths.own}: {remedy}."]


def _asides(folder: str) -> list[str]:
    try:
        names = sorted(os.listdir(folder)) if is_plain_folder(folder) else []
    except OSError:
        return []
    return [path for name in names if ".damaged-" in name and _is_recent(path := f"{folder}/{name}")]


def _is_recent(path: str) -> bool:
    """Problems older than a week are not reported again."""
    try:
        return time.time() - os.lstat(path).st_ctime < _RECENT_SECONDS
    except OSError:
        return False
