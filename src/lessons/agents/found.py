"""What there is on this machine: agents, settings files with our hook, transcripts."""

import os
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from lessons.agents.base import Damaged, NotOurs
from lessons.agents.follow import OpenTranscript
from lessons.agents.hook_command import home_of
from lessons.agents.places import SCOPES, settings_file, transcript_folders
from lessons.agents.table import AGENTS, installer_of, reader_of, store_of
from lessons.errors import LessonsError
from lessons.match.call import comparable, folder_key

_MOST_FILES = 50
_MOST_BYTES = 1 << 18


class FoundAgent(NamedTuple):
    """An agent, and which of its folders exist."""

    title: str
    folders: list[str]
    agent: str  # its name in the table


def found_agents() -> list[FoundAgent]:
    """Returns the agents with files in the usual places."""
    found = []
    for agent, row in AGENTS.items():
        usual = dict.fromkeys((os.path.dirname(settings_file(agent)), *transcript_folders(agent)))
        if there := [folder for folder in usual if os.path.isdir(folder)]:
            found.append(FoundAgent(row.title, there, agent))
    return found


def has_hook(agent: str, file: str) -> bool:
    """Returns False for an unreadable file: no hook in it runs."""
    try:
        return bool(installer_of(agent).installed_commands(file))
    except LessonsError:
        return False


def other_home(agent: str, file: str, home: str) -> str:
    """Returns the data home that the hook in this file works on; empty if it is `home`, or not known."""
    try:
        commands = installer_of(agent).installed_commands(file).values()
    except LessonsError:
        return ""
    used = next(filter(None, map(home_of, commands)), home)
    return "" if os.path.realpath(used) == os.path.realpath(home) else used


def hooked_since() -> dict[str, float]:
    """Returns the agents with our hook -> when the first settings file with it last changed, in seconds since 1970.

    The hook was installed then or before.
    """
    found: dict[str, float] = {}
    for agent in AGENTS:
        files = [file for scope in SCOPES if has_hook(agent, file := settings_file(agent, scope))]
        if files:
            found[agent] = min(map(_changed_at, files))
    return found


def _changed_at(file: str) -> float:
    try:
        return os.stat(file).st_mtime
    except OSError:
        return 0.0


def newest_of(agents: Iterable[str], root: str) -> tuple[str, str] | None:
    """Returns the newest transcript of the project and its agent."""
    inside = tuple(map(folder_key, {root, os.path.realpath(root)}))
    found = []
    for agent in agents:
        newest = _newest_first(agent, reader_of(agent).conversations(root))[:_MOST_FILES]
        found += [(*each, agent) for each in newest if _is_of(agent, each[1], inside)][:1]
    _, path, agent = max(found, default=(0, "", ""))
    return (agent, path) if path else None


def transcript_of(agent: str, session_id: str) -> str | None:
    """Returns the transcript of one session, in any project."""
    reader = reader_of(agent)
    named = (path for path in reader.conversations("") if reader.stem(path) == session_id)
    newest = next(iter(_newest_first(agent, named)), None)
    return newest[1] if newest else None


def _newest_first(agent: str, paths: Iterable[str]) -> list[tuple[int, str]]:
    """Returns transcripts, which need not be separate files, each behind the time of its last change."""
    dated = []
    store = store_of(agent)
    times: dict[str, int] = {}  # of the sessions in stores; each store is asked once
    for path in paths:
        try:
            held = store.store_of(path) if store else None
            if store and held and path not in times:
                times |= {each.path: each.state.modified for each in store.sessions(held)}
            dated.append((times[path] if held else os.stat(path).st_mtime_ns, path))
        except (OSError, KeyError):
            continue
    return sorted(dated, reverse=True)


def _is_of(agent: str, path: str, inside: tuple[str, ...]) -> bool:
    """Checks the folders in the lines: an agent may file several projects under one name."""
    return any((comparable(folder) + "/").startswith(inside) for folder in _folders(agent, path))


def _folders(agent: str, path: str) -> Iterator[str]:
    store = store_of(agent)
    try:
        if store and store.store_of(path):
            with store.snapshot(path) as found:
                for piece in found.pieces:
                    yield from (record.line.cwd for record in piece.records if not isinstance(record, Damaged))
            return
        with OpenTranscript(reader_of(agent), path) as file:
            for stretch in file.stretches(0, min(file.size, _MOST_BYTES)):
                for record in stretch.records() if stretch.finished else ():
                    if not isinstance(record, Damaged) and record.line.cwd:
                        yield record.line.cwd
    except (OSError, NotOurs):
        return
