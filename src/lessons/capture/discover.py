"""Lists changed transcripts below some folders, and which agents may have written each."""

import os
from collections.abc import Callable, Container, Iterable, Sequence
from stat import S_ISREG
from typing import NamedTuple

from lessons.agents.base import Reader
from lessons.agents.table import reader_of, store_of
from lessons.capture.in_stores import Claims, FoundFile, Searched, claims_on, printable, search
from lessons.store.history.rows import FileState

Unchanged = Container[tuple[int, int, int]]


class Root(NamedTuple):
    """A folder with transcripts, and the agents that may have written them."""

    folder: str
    agents: tuple[str, ...]


class Found(NamedTuple):
    """How many there are, how many of them are unchanged, and the others.

    `stores` have changed: once everything found in one is read, it is not opened until it changes again. Keyed by path,
    with agent and state.
    """

    files: int
    unchanged: int
    others: list[FoundFile]
    stores: dict[str, tuple[str, FileState]] = {}  # noqa: RUF012  (never changed)


def transcripts(roots: Sequence[Root], known: Unchanged = frozenset()) -> Found:
    """Returns every file once, however the folders overlap; does not follow links to folders, they may lead anywhere.

    `known` has inode, size and time of the files that were read to their end.
    """
    folders: dict[tuple[str, ...], list[str]] = {}
    for root in roots:
        folders.setdefault(root.agents, []).append(root.folder)
    unchanged: set[str] = set()
    stores: set[tuple[str, str]] = set()
    others: dict[str, FoundFile] = {}
    for agents, some in folders.items():
        walk = _Walk(known)
        walk.below(some, [reader_of(agent) for agent in agents])
        unchanged |= walk.unchanged
        stores |= walk.stores
        for file in walk.others:
            before = others.get(file.path)
            mine = tuple(dict.fromkeys((*before.agents, *file.agents))) if before else file.agents
            others[file.path] = file._replace(agents=mine)
    return _with_stores(len(unchanged), list(others.values()), search(stores, known))


def named_transcripts(
    paths: Iterable[str],
    roots: Sequence[Root],
    is_read: Callable[[str, FileState], bool],
    known: Callable[[], Unchanged] = frozenset,
) -> Found:
    """Returns the same for these files only; skips missing files and those that are not transcripts of the agents."""
    others: list[FoundFile] = []
    stores: set[tuple[str, str]] = set()
    unchanged = 0
    for path in sorted(set(paths)):
        claims = claims_on(path, agents_of(path, roots))
        stores |= claims.stores
        if not claims.files:
            continue
        try:
            status = os.stat(path)
        except FileNotFoundError:
            continue
        except OSError:
            others.append(FoundFile(printable(path), None))
            continue
        for found in _changed(path, status, claims):
            if found.state is not None and is_read(path, found.state):
                unchanged += 1
            else:
                others.append(found)
    # The known states are expensive to get, and only stores need them.
    return _with_stores(unchanged, others, search(stores, known() if stores else frozenset()))


def _with_stores(unchanged: int, others: list[FoundFile], searched: Searched) -> Found:
    """Counts an unchanged store as one file, any other as one per session in it."""
    unchanged += searched.unchanged
    others += searched.others
    return Found(unchanged + len(others), unchanged, others, searched.changed)


def agents_of(path: str, roots: Sequence[Root]) -> tuple[str, ...]:
    """Returns the possible agents by folder and name; the innermost folder decides. None: not a transcript."""
    folder, name = os.path.split(path)
    inside = [root for root in roots if path.startswith(os.path.join(root.folder, ""))]
    for root in sorted(inside, key=lambda root: -len(root.folder)):
        between = folder[len(root.folder) :].split(os.sep)
        readers = [reader_of(agent) for agent in root.agents]
        mine = [each for each in readers if not each.skipped_folders.intersection(between)]
        if found := _by_name(mine, name):
            return found
    return ()


def _by_name(readers: Iterable[Reader], name: str) -> tuple[str, ...]:
    return tuple(reader.agent for reader in readers if name.endswith(reader.suffix))


def _suffixes(readers: Iterable[Reader]) -> tuple[str, ...]:
    each = [reader.suffix for reader in readers]
    return tuple(suffix for one in each for suffix in ((one,) if isinstance(one, str) else one))


class _Walk:
    """One walk through folders that the same agents may have written to."""

    def __init__(self, known: Unchanged) -> None:
        self.known = known
        self.unchanged: set[str] = set()
        self.others: list[FoundFile] = []
        self.stores: set[tuple[str, str]] = set()

    def below(self, folders: Iterable[str], readers: Sequence[Reader]) -> None:
        visited: set[str] = set()
        waiting = [(os.path.realpath(folder), readers) for folder in folders]
        while waiting:
            folder, mine = waiting.pop()
            if folder not in visited:
                visited.add(folder)
                waiting += self._files_of(folder, mine)

    def _files_of(self, folder: str, readers: Sequence[Reader]) -> list[tuple[str, Sequence[Reader]]]:
        """Returns the folders in it, each with the readers that have transcripts there."""
        suffixes = _suffixes(readers)
        skipped = frozenset[str]().union(*(reader.skipped_folders for reader in readers))
        has_stores = any(store_of(reader.agent) for reader in readers)
        inner: list[tuple[str, Sequence[Reader]]] = []
        for entry in _entries(folder, self.others):
            if entry.is_dir(follow_symlinks=False):
                name, mine = entry.name, readers
                if name in skipped:
                    mine = [reader for reader in readers if name not in reader.skipped_folders]
                if mine:
                    inner.append((entry.path, mine))
            elif entry.name.endswith(suffixes):
                self._file(entry, readers, has_stores)
        return inner

    def _file(self, entry: os.DirEntry[str], readers: Sequence[Reader], has_stores: bool) -> None:
        claims: Claims | None = None
        if has_stores:
            claims = claims_on(entry.path, _by_name(readers, entry.name))
            self.stores |= claims.stores
            if not claims.files:
                return
        try:
            status = entry.stat()
        except OSError:
            self.others.append(FoundFile(printable(entry.path), None))
            return
        if (status.st_ino, status.st_size, status.st_mtime_ns) in self.known:
            self.unchanged.add(entry.path)
        else:
            self.others += _changed(entry.path, status, claims or Claims(_by_name(readers, entry.name)))


def _entries(folder: str, others: list[FoundFile]) -> Iterable[os.DirEntry[str]]:
    try:
        return os.scandir(folder)
    except OSError:
        if os.path.isdir(folder):
            others.append(FoundFile(folder, None))
        return ()


def _changed(path: str, status: os.stat_result, claims: Claims) -> list[FoundFile]:
    """Skips pipes and devices, whatever their name: reading one may never end."""
    if not S_ISREG(status.st_mode):
        return []
    if path != printable(path):
        return [FoundFile(printable(path), None)]  # a name that is not text cannot be stored: no client creates one
    return [FoundFile(path, FileState(status.st_ino, status.st_size, status.st_mtime_ns), claims.files)]
