"""Reads the files of a project's folder `.lessons` with their digests; reads nothing else of the project."""

import hashlib
import os
import re
from itertools import islice
from typing import NamedTuple

from lessons.errors import NotFound, Refused
from lessons.model import shown
from lessons.system import O_NOFOLLOW, open_regular

NAME = ".lessons"
MOST_FILES = 200
LARGEST_FILE = 32 * 1024
_MOST_ENTRIES = 2000
_PLAIN_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,120}\.json")


class ProjectFile(NamedTuple):
    """One file; if it is not read, the problem says why and the digest is empty."""

    name: str
    path: str
    digest: str = ""
    content: bytes = b""
    problem: str = ""


_WORKTREES = (".worktrees", "worktrees")
_SHORTEST_NAME = 3  # characters; shorter ones, such as 1, say nothing without the folder above


def folder_of(root: str) -> str:
    return os.path.join(root, NAME)


def is_usual_name(name: str) -> bool:
    return _PLAIN_NAME.fullmatch(name) is not None


def root_above(start: str) -> str:
    """Returns the project of a folder: the nearest one upwards with lessons or a repository, else itself."""
    here = folder = os.path.realpath(start)
    if not os.path.isdir(folder):
        raise NotFound(f"{shown(start)} is not a folder: name that of a project.")
    while not any(os.path.lexists(os.path.join(folder, mark)) for mark in (NAME, ".git")):
        if (parent := os.path.dirname(folder)) == folder:
            return here
        folder = parent
    return folder


def read(root: str) -> list[ProjectFile]:
    """Returns every .json file of the folder by name; raises Refused or NotFound if the folder cannot be used."""
    folder = folder_of(root)
    if not os.path.lexists(folder):
        raise NotFound(f"There is no {folder}: `lessons export --project` makes one.")
    if os.path.islink(folder) or not os.path.isdir(folder):
        raise Refused(f"{folder} is not a plain folder: only a real one in the project is read.")
    with os.scandir(folder) as entries:
        found = [entry.name for entry in islice(entries, _MOST_ENTRIES + 1)]
    names = sorted(name for name in found if name.endswith(".json"))
    if len(found) > _MOST_ENTRIES or len(names) > MOST_FILES:
        number = f"more than {_MOST_ENTRIES:,}" if len(found) > _MOST_ENTRIES else f"{len(names):,}"
        raise Refused(f"{folder} holds {number} files, and at most {MOST_FILES} are read: nothing of it is taken.")
    return [read_file(os.path.join(folder, name)) for name in names]


def read_file(path: str) -> ProjectFile:
    """Returns one file, if it is a plain one with a usual name and size."""
    name = os.path.basename(path)
    if not is_usual_name(name):
        return ProjectFile(name, path, problem=f"the name {shown(name)} cannot be used: write it as SLUG.json.")
    try:
        with open_regular(path, O_NOFOLLOW) as file:
            content = file.read(LARGEST_FILE + 1)
    except FileNotFoundError:
        return ProjectFile(name, path, problem="there is no such file.")
    except OSError as error:
        reason = "it is a link, and only plain files are read" if os.path.islink(path) else str(error.strerror)
        return ProjectFile(name, path, problem=f"{reason}: put a plain file there.")
    if len(content) > LARGEST_FILE:
        problem = f"it is larger than {LARGEST_FILE // 1024} KB: one file is one lesson."
        return ProjectFile(name, path, problem=problem)
    return ProjectFile(name, path, "sha256:" + hashlib.sha256(content).hexdigest(), content)


def project_name(path: str) -> str:
    """Returns a short name: `shop` for /home/ada/shop, `shop/1` for /home/ada/shop/.worktrees/1 or /home/ada/shop/1."""
    parts = [part for part in path.replace("\\", "/").split("/") if part]
    if not parts:
        return path
    *above, name = parts
    is_worktree = bool(above) and above[-1] in _WORKTREES
    above = above[:-1] if is_worktree else above
    is_short = len(name) < _SHORTEST_NAME or name.isdecimal()
    return f"{above[-1]}/{name}" if above and (is_worktree or is_short) else name
