"""Finds the project of a folder: the root of its repository."""

import ntpath
import os

from lessons.match.call import folder_key, is_of_windows
from lessons.system import open_regular

_LONGEST_PATH = 4096


class Projects:
    """Caches results: a transcript names the same few folders thousands of times."""

    def __init__(self) -> None:
        self._roots: dict[str, str] = {}
        self._projects: dict[tuple[str, str], str] = {}
        self._last = ("", "", "")  # most records are in the same folder as the one before

    def project_of(self, cwd: str, first_cwd: str) -> str:
        """Returns the repository's root; if that is gone, the session's start folder if this one is inside it."""
        last_cwd, last_first_cwd, project = self._last
        if cwd == last_cwd and first_cwd == last_first_cwd:
            return project
        key = (cwd, first_cwd)
        found = self._projects.get(key)
        if found is None:
            found = self._projects[key] = self._found(cwd, first_cwd)
        self._last = (cwd, first_cwd, found)
        return found

    def _found(self, cwd: str, first_cwd: str) -> str:
        cwd, first_cwd = _plain(cwd), _plain(first_cwd)
        root = self._root(cwd)
        if root:
            return root
        if first_cwd and first_cwd != cwd and folder_key(cwd).startswith(folder_key(first_cwd)):
            return self._root(first_cwd) or first_cwd
        return cwd

    def _root(self, folder: str) -> str:
        """Returns the nearest folder upwards with `.git`; for a linked work tree, the main one."""
        if len(folder) > _LONGEST_PATH:
            return ""
        passed: list[str] = []
        found = ""
        while os.path.isabs(folder):
            known = self._roots.get(folder)
            found = _here(folder) if known is None else known
            passed.append(folder)
            parent = os.path.dirname(folder)
            if found or known is not None or parent == folder:
                break
            folder = parent
        self._roots.update(dict.fromkeys(passed, found))
        return found


def _here(folder: str) -> str:
    """Returns the root, if it is this folder or if this is a linked work tree of it."""
    mark = os.path.join(folder, ".git")
    if os.path.isdir(mark):
        return folder
    return (_main_tree(mark) or folder) if os.path.isfile(mark) else ""


def _plain(folder: str) -> str:
    """Returns one name per folder: clients on Windows write a drive in either case; relative paths stay unchanged."""
    if folder[1:2] == ":" and is_of_windows(folder):
        return ntpath.normpath(folder[:1].upper() + folder[1:])
    return os.path.normpath(folder) if folder.startswith("/") else folder


def _main_tree(mark: str) -> str:
    """Returns the repository of a linked work tree: its `.git` file names a folder in that `.git/worktrees`."""
    try:
        with open_regular(mark) as file:
            target = file.read(4096).decode("utf-8", "replace").partition("gitdir:")[2].strip()
    except OSError:
        return ""
    folder = os.path.normpath(os.path.join(os.path.dirname(mark), target))
    main, found, _ = folder.partition(os.path.join(os.path.sep, ".git", "worktrees", ""))
    return main if found else ""
