"""Chooses the files for `lessons check`: named ones, the whole project, staged ones, or those a branch changed."""

import os
from collections.abc import Iterable, Iterator, Sequence

from lessons.cli import staged_files
from lessons.continuity.git import git
from lessons.errors import NotFound, Refused
from lessons.reviews.check.run import Content, contents

_SECONDS = 30.0
_LEFT_OUT = frozenset((".git", ".hg", ".svn", ".venv", "venv", "node_modules", "__pycache__", ".tox", ".mypy_cache"))
_CHANGED = ("-z", "--diff-filter=ACMRT", "--no-renames", "--no-ext-diff")


def chosen(root: str, files: Sequence[str], staged: bool, base: str | None) -> Iterable[Content]:
    """Yields the chosen files. Staged files are read from the index, because a commit would contain that version."""
    if staged:
        index = _index_of_commit(root)
        listed = _listed(root, "diff", "--cached", *staged_files.OPTIONS, *_CHANGED, index=index)
        return staged_files.contents(root, listed)
    if base is not None:
        return contents(root, _since(root, base))
    if files:
        return contents(root, [_relative(root, file) for each in files for file in _below(each)])
    answer = git.run_bytes(root, "ls-files", "-z", "--cached", "--others", "--exclude-standard", seconds=_SECONDS)
    if answer is None:
        return contents(root, [_relative(root, file) for file in _below(root)])
    return contents(root, dict.fromkeys(name for name in _names(answer) if os.path.lexists(f"{root}/{name}")))


def _since(root: str, base: str) -> list[str]:
    if base.startswith("-"):
        raise Refused(f"--diff {base!r} is not a commit: give a branch, a tag or a hash.")
    common = (git.run(root, "merge-base", base, "HEAD", seconds=_SECONDS) or "").strip()
    if not git.is_hash(common):
        raise NotFound(f"No common commit of {base} and HEAD in {root}: fetch it, or give another one to --diff.")
    return _listed(root, "diff", "--name-only", *_CHANGED, common)


def _listed(root: str, *arguments: str, index: str = "") -> list[str]:
    unfiltered = git.without_filters(root)
    answer = None if unfiltered is None else git.run_bytes(root, *unfiltered, *arguments, seconds=_SECONDS, index=index)
    if answer is None:
        raise Refused(f"git cannot tell what has changed in {root}: name the files instead.")
    return _names(answer)


def _names(answer: bytes) -> list[str]:
    return [os.fsdecode(name) for name in answer.split(b"\0") if name]


def _index_of_commit(root: str) -> str:
    """Returns the temporary index of `git commit -a` or `git commit FILE`, which git gives its hooks; else empty."""
    index = os.environ.get("GIT_INDEX_FILE", "")
    own = (git.run(root, "rev-parse", "--absolute-git-dir") or "").rstrip("\n")
    whole = os.path.realpath(os.path.join(root, index))
    return whole if index and own and os.path.dirname(whole) == os.path.realpath(own) else ""


def _below(path: str) -> Iterator[str]:
    """Yields the file itself, or every file in the folder."""
    if not os.path.isdir(path) or os.path.islink(path):
        if not os.path.lexists(path):
            raise NotFound(f"No file {path}.")
        yield path
        return
    for folder, folders, names in os.walk(path):
        folders[:] = sorted(each for each in folders if each not in _LEFT_OUT)
        yield from (os.path.join(folder, name) for name in sorted(names))


def _relative(root: str, path: str) -> str:
    relative = os.path.relpath(os.path.abspath(path), root).replace(os.sep, "/")
    if relative.startswith("../"):
        raise Refused(f"{path} is not in {root}: run `lessons check` in its project, or give --cwd.")
    return relative
