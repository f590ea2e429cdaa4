"""Lists changed transcripts below some folders and in stores, and recognises which agent wrote each."""

import os
from collections.abc import Callable, Container, Iterable, Sequence
from functools import partial
from stat import S_ISREG
from typing import NamedTuple

from lessons.agents.names import storable_path
from lessons.agents.object_lines import Reader
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


def identity(state: FileState) -> tuple[int, int, int]:
    return state.inode, state.size, state.modified


def _identity(status: os.stat_result) -> tuple[int, int, int]:
    return status.st_ino, status.st_size, status.st_mtime_ns


def _status(ask: Callable[[], os.stat_result]) -> os.stat_result | None:
    try:
        return ask()
    except OSError:
        return None


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
    search = _Search(known)
    for agents, some in folders.items():
        search.walk(some, [reader_of(agent) for agent in agents])
    return search.found(known)


def named_transcripts(
    paths: Iterable[str],
    roots: Sequence[Root],
    is_read: Callable[[str, FileState], bool],
    known: Callable[[], Unchanged] = frozenset,
) -> Found:
    """Returns the same for these files only; skips missing files and those that are not transcripts of the agents."""
    search = _Search(frozenset())
    for path in sorted(set(paths)):
        claims = claims_on(path, agents_of(path, roots))
        if claims.files and not os.path.exists(path):
            claims = claims._replace(files=())
        search.add(path, _status(partial(os.stat, path)), claims)
        found = search.others.get(path)
        if found and found.state is not None and is_read(path, found.state):
            del search.others[path]
            search.unchanged.add(path)
    # The known states are expensive to get, and only stores need them.
    return search.found(known() if search.stores else frozenset())


class _Search:
    """What was found so far."""

    def __init__(self, known: Unchanged) -> None:
        self.known = known
        self.unchanged: set[str] = set()
        self.others: dict[str, FoundFile] = {}
        self.stores: set[tuple[str, str]] = set()  # agent and store

    def walk(self, folders: Iterable[str], readers: Sequence[Reader]) -> None:
        """Looks below folders that these agents may have written to."""
        visited: set[str] = set()
        waiting = [(os.path.realpath(folder), readers) for folder in folders]
        while waiting:
            folder, mine = waiting.pop()
            if folder not in visited:
                visited.add(folder)
                waiting += self._files_of(folder, mine)

    def _files_of(self, folder: str, readers: Sequence[Reader]) -> list[tuple[str, Sequence[Reader]]]:
        """Returns the folders in it, each with the readers that have transcripts there."""
        endings = [each.suffix for each in readers]
        suffixes = tuple(name for each in endings for name in ((each,) if isinstance(each, str) else each))
        skipped = frozenset[str]().union(*(reader.skipped_folders for reader in readers))
        stores = [(reader.suffix, store) for reader in readers if (store := store_of(reader.agent))]
        inner: list[tuple[str, Sequence[Reader]]] = []
        try:
            entries = list(os.scandir(folder))
        except OSError:
            entries = []
            if os.path.isdir(folder):
                self.others[folder] = FoundFile(folder, None)
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                name, mine = entry.name, readers
                if name in skipped:
                    mine = [reader for reader in readers if name not in reader.skipped_folders]
                if mine:
                    inner.append((entry.path, mine))
            elif entry.name.endswith(suffixes):
                status = _status(entry.stat)
                # As most are: nothing more is asked about these, unless they are a part of a store.
                if (status and _identity(status) in self.known) and not any(
                    entry.name.endswith(end) and store.store_of(entry.path) for end, store in stores
                ):
                    self.unchanged.add(entry.path)
                    continue
                agents = _by_name(readers, entry.name)
                self.add(entry.path, status, claims_on(entry.path, agents) if stores else Claims(agents))
        return inner

    def add(self, path: str, status: os.stat_result | None, claims: Claims) -> None:
        """Skips pipes and devices, whatever their name: reading one may never end."""
        self.stores |= claims.stores
        if not claims.files:
            return
        name = storable_path(path)
        if status is None:
            self.others[name] = FoundFile(name, None)
        elif _identity(status) in self.known:
            self.unchanged.add(path)
        elif S_ISREG(status.st_mode):
            before = self.others.get(name)
            agents = tuple(dict.fromkeys((*before.agents, *claims.files))) if before else claims.files
            self.others[name] = FoundFile(name, FileState(*_identity(status)), agents)

    def found(self, known: Unchanged) -> Found:
        """Looks into the stores that have changed; counts an unchanged one as one file, else one file per session."""
        unchanged, others = len(self.unchanged), list(self.others.values())
        changed: dict[str, tuple[str, FileState]] = {}
        for agent, path in sorted(self.stores):
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
            except Exception as fault:  # what is wrong with one store must not prevent reading the others
                reason = fault.strerror if isinstance(fault, OSError) else ""
                others.append(FoundFile(storable_path(path), None, reason=reason or describe(fault)))
                continue
            new = [each for each in held if identity(each.state) not in known]
            unchanged += len(held) - len(new)
            others += [FoundFile(storable_path(each.path), each.state, (agent,), store=path) for each in new]
            if not any(each.path == path for each in held):  # otherwise its own row covers it
                changed[path] = agent, state
        return Found(unchanged + len(others), unchanged, others, changed)


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
