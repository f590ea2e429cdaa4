"""Reads the staged files that `git diff --cached --raw` lists, with few processes for many files."""

import tempfile
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from lessons.continuity.git import git
from lessons.reviews.check.run import Content
from lessons.reviews.check.skipped import MOST_BYTES, why_by_name

OPTIONS = ("--raw", "--no-abbrev")
_SECONDS = 60.0
_LINK = "120000"
_HEADER = 128  # more than git prints about each object
# Total size of the contents requested at once; leaves room for the largest file in git's output limit.
_MOST_AT_ONCE = git.MOST_BYTES - 2 * MOST_BYTES


class _Staged(NamedTuple):
    path: str
    name: str  # of its git object; empty: nothing to read


def contents(root: str, listed: Sequence[str]) -> Iterator[Content]:
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
    with tempfile.TemporaryFile() as sent:
        sent.write(b"".join(file.name.encode() + b"\n" for file in files if file.name))
        sent.seek(0)
        return git.run_bytes(root, "cat-file", how, seconds=_SECONDS, sent=sent)
