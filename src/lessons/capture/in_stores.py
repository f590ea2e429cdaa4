"""Sessions in stores, which are not files of lines: finds them, and what is new in them."""

from collections.abc import Container, Iterable
from typing import NamedTuple

from lessons.agents.table import store_of
from lessons.store.history.rows import FileState

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
