"""Lists changed transcripts below some folders and in stores, and recognises which agent wrote each."""

import os
from collections.abc import Callable, Container, Iterable, Sequence
from stat import S_ISREG
from typing import NamedTuple

from lessons.agents.base import Reader
from lessons.agents.table import reader_of, store_of
from lessons.scan.workers import Problem, Reason
from lessons.store.history.rows import FileState
from lessons.store.logs import describe_fault as describe

_CANNOT_BE_OPENED = "it cannot be opened"


class FoundFile(NamedTuple):
    """A transcript; `state` is None if it cannot be inspected."""

    path: str
    state: FileState | None
    agents: tuple[str, ...] = ()  # that may have written it, by its folder and its name
    reason: str = _CANNOT_BE_OPENED
    store: str = ""  # the store that contains it, if it is read as a whole


class Claims(NamedTuple):
    """Who may have written a file: agents that must recognise its content, and agents with a store that contains it."""

    files: tuple[str, ...] = ()
    stores: frozenset[tuple[str, str]] = frozenset()  # agent and store


def claims_on(path: str, agents: tuple[str, ...]) -> Claims:
    """Searches a store only if no other agent may have written the file, or the file is not the store itself."""
    files: list[str] = []
    held: list[tuple[str, str]] = []
    for agent in agents:
        store = store_of(agent)
        name = store.store_of(path) if store else ""
        if name == "":
            files.append(agent)
        elif name is not None:
            held.append((agent, name))
    alike = [agent for agent, name in held if name == path]
    if files or len(alike) > 1:
        return Claims((*files, *alike), frozenset(each for each in held if each[1] != path))
    return Claims((), frozenset(held))


class Searched(NamedTuple):
    """The content of stores; the changed ones by path, with their agent and state."""

    unchanged: int
    others: list[FoundFile]
    changed: dict[str, tuple[str, FileState]]


def search(stores: Iterable[tuple[str, str]], known: Container[tuple[int, int, int]]) -> Searched:
    """Does not open an unchanged store, and counts it as one."""
    unchanged = 0
    others: list[FoundFile] = []
    changed: dict[str, tuple[str, FileState]] = {}
    for agent, path in sorted(stores):
        store = store_of(agent)
        assert store is not None
        try:
            state = store.state(path)
            if identity(state) in known:
                unchanged += 1
                continue
            held = store.sessions(path)
        except FileNotFoundError:
            continue
        except OSError as fault:
            others.append(FoundFile(printable(path), None, reason=fault.strerror or str(fault)))
            continue
        new = [each for each in held if identity(each.state) not in known]
        unchanged += len(held) - len(new)
        others += [
            FoundFile(each.path, each.state, (agent,), store=path) for each in new if each.path == printable(each.path)
        ]
        if not any(each.path == path for each in held):  # otherwise its own row covers it
            changed[path] = agent, state
    return Searched(unchanged, others, changed)


def identity(state: FileState) -> tuple[int, int, int]:
    return state.inode, state.size, state.modified


def printable(path: str) -> str:
    return path.encode("utf-8", "replace").decode()


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


def whose(path: str, agents: Sequence[str]) -> str | Problem:
    """The first of these agents whose reader, or whose store, recognises the file.

    All are asked about its beginning first: looking for a record of theirs further behind is slow.
    """
    found = _asked(path, agents, at_beginning=True)
    return found if isinstance(found, str) else _asked(path, agents, at_beginning=False)


def _asked(path: str, agents: Sequence[str], at_beginning: bool) -> str | Problem:
    problem = Problem(Reason.FOREIGN)
    for agent in agents:
        try:
            found = _is_of(agent, path, at_beginning)
        except FileNotFoundError:
            return Problem(Reason.GONE)
        except OSError as fault:
            problem = Problem(Reason.UNREADABLE, fault.strerror or str(fault))
        except Exception as fault:  # a bug of one reader must not keep the file from the others
            problem = Problem(Reason.UNREADABLE, describe(fault))
        else:
            if found:
                return agent
            if found is None and problem.reason == Reason.FOREIGN:
                problem = Problem(Reason.UNCLEAR)
    return problem


def _is_of(agent: str, path: str, at_beginning: bool) -> bool | None:
    from lessons.agents.base import NotOurs
    from lessons.agents.follow import OpenTranscript  # loaded only now: most scans find nothing new

    store = store_of(agent)
    if store and store.store_of(path):
        try:
            with store.snapshot(path):
                return True
        except NotOurs:
            return False
    with OpenTranscript(reader_of(agent), path) as file:
        return file.is_recognised_at_once() if at_beginning else file.is_recognised()
