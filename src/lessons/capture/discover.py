"""Folders in, every transcript below them that is not as it was before out."""

import os
from collections.abc import Container, Iterable
from stat import S_ISREG
from typing import NamedTuple

from lessons.agents.base import Reader
from lessons.store.history.rows import FileState

Unchanged = Container[tuple[int, int, int]]


class FoundFile(NamedTuple):
    """A transcript; no state where it cannot be looked at."""

    path: str
    state: FileState | None


class Found(NamedTuple):
    """How many there are, how many of them are as they were, and the others."""

    files: int
    unchanged: int
    others: list[FoundFile]


def transcripts(reader: Reader, folders: list[str], known: Unchanged = frozenset()) -> Found:
    """Every file once, however the folders overlap; links to folders are not followed, they may lead anywhere.

    `known` holds inode, size and time of the files that were read to their end.
    """
    met: set[str] = set()
    others: list[FoundFile] = []
    unchanged = 0
    suffix, skipped = reader.suffix, reader.skipped_folders
    waiting = [os.path.realpath(folder) for folder in folders]
    while waiting:
        folder = waiting.pop()
        if folder in met:
            continue
        met.add(folder)
        for entry in _entries(folder, others):
            if entry.is_dir(follow_symlinks=False):
                if entry.name not in skipped:
                    waiting.append(entry.path)
            elif entry.name.endswith(suffix):
                try:
                    status = entry.stat()
                except OSError:
                    others.append(FoundFile(_printable(entry.path), None))
                    continue
                if (status.st_ino, status.st_size, status.st_mtime_ns) in known:
                    unchanged += 1
                else:
                    others += _changed(entry.path, status)
    return Found(unchanged + len(others), unchanged, others)


def _entries(folder: str, others: list[FoundFile]) -> Iterable[os.DirEntry[str]]:
    try:
        return os.scandir(folder)
    except OSError:
        if os.path.isdir(folder):
            others.append(FoundFile(folder, None))
        return ()


def _changed(path: str, status: os.stat_result) -> list[FoundFile]:
    """A pipe or a device is no transcript, whatever its name: reading it may never end."""
    if not S_ISREG(status.st_mode):
        return []
    if path != _printable(path):
        return [FoundFile(_printable(path), None)]  # a name that is no text cannot be stored: no client gives one
    return [FoundFile(path, FileState(status.st_ino, status.st_size, status.st_mtime_ns))]


def _printable(path: str) -> str:
    return path.encode("utf-8", "replace").decode()
