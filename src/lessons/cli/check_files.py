"""Chooses the files for `lessons check`: named ones, the whole project, staged ones, or those a branch changed."""

import os
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from lessons.continuity import git
from lessons.errors import NotFound, Refused
from lessons.reviews.file_check import MOST_BYTES, Content, contents, why_by_name

OPTIONS = ("--raw", "--no-abbrev")
_SECONDS_OF_READING = 60.0
_LINK = "120000"
_HEADER = 128  # more than git prints about each object
_MOST_AT_ONCE = 16 * 1024 * 1024  # total size of the contents requested at once


class _Staged(NamedTuple):
    path: str
    name: str  # of its git object; empty: nothing to read


def staged_contents(root: str, listed: Sequence[str]) -> Iterator[Content]:
    """Yields the staged contents; links, submodules and objects that git cannot read are unreadable, as on disk."""
    files = [_staged(*pair) for pair in zip(listed[::2], listed[1::2], strict=True)]
    sizes = _sizes(root, files)
    batch, total = list[_Staged](), 0
    for file in files:
        size = sizes.get(file.name)
        if size is None or why_by_name(file.path):
            yield Content(file.path, None if size is None else b"")
        elif size > MOST_BYTES:
            yield Content(file.path, b"", "large")
        else:
            if total + size > _MOST_AT_ONCE:
                yield from _read(root, batch)
                batch, total = [], 0
            batch.append(file)
            total += size + _HEADER
    yield from _read(root, batch)


def _staged(about: str, path: str) -> _Staged:
    """Parses `:MODE MODE OBJECT OBJECT STATUS`, each before and after."""
    _, mode, _, name, _ = about.split(" ")
    return _Staged(path, name if git.is_hash(name) and mode != _LINK else "")


def _sizes(root: str, files: Sequence[_Staged]) -> dict[str, int]:
    """Returns sizes by object name; leaves out objects that are not files."""
    found = {}
    for line in (_ask(root, "--batch-check", files) or b"").splitlines():
        name, *about = line.decode("ascii", "replace").split(" ")
        if len(about) == 2 and about[0] == "blob":
            found[name] = int(about[1])
    return found


def _read(root: str, files: Sequence[_Staged]) -> Iterator[Content]:
    answer, position = _ask(root, "--batch", files) if files else b"", 0
    for file in files:
        end = (answer or b"").find(b"\n", position)
        size = int(answer[position:end].rpartition(b" ")[2]) if answer and end >= 0 else None
        yield Content(file.path, None if answer is None or size is None else answer[end + 1 : end + 1 + size])
        position = end + 2 + (size or 0)


def _ask(root: str, how: str, files: Sequence[_Staged]) -> bytes | None:
    sent = b"".join(file.name.encode() + b"\n" for file in files if file.name)
    return git.run_bytes(root, "cat-file", how, seconds=_SECONDS_OF_READING, sent=sent)


_SECONDS = 30.0
_LEFT_OUT = frozenset((".git", ".hg", ".svn", ".venv", "venv", "node_modules", "__pycache__", ".tox", ".mypy_cache"))
_CHANGED = ("-z", "--diff-filter=ACMRT", "--no-renames", "--no-ext-diff")


def chosen(root: str, files: Sequence[str], staged: bool, base: str | None) -> Iterable[Content]:
    """Yields the chosen files. Staged files are read from the index, because a commit would contain that version."""
    if staged:
        index = _index_of_commit(root)
        listed = _listed(root, "diff", "--cached", *OPTIONS, *_CHANGED, index=index)
        return staged_contents(root, listed)
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
