"""Finds the newest transcript of a project, or the one of a session."""

import os
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from lessons.agents.follow import Damaged, OpenTranscript
from lessons.agents.table import places_of, reader_of, store_of
from lessons.agents.whole import NotOurs
from lessons.match.call import comparable, folder_key

_MOST_FILES = 50
_MOST_BYTES = 1 << 18


class Dated(NamedTuple):
    """A transcript, which need not be a separate file, and when it last changed."""

    modified: int
    path: str


def _newest_transcript(agent: str, root: str) -> Dated | None:
    """Returns the newest transcript whose lines were written in the project or below it."""
    inside = tuple(map(folder_key, {root, os.path.realpath(root)}))
    newest = _newest_first(agent, places_of(agent).conversations(root))[:_MOST_FILES]
    return next((each for each in newest if _is_of(agent, each.path, inside)), None)


def newest_of(agents: Iterable[str], root: str) -> tuple[str, str] | None:
    """Returns the newest transcript of the project and its agent."""
    found = [(newest, agent) for agent in agents if (newest := _newest_transcript(agent, root))]
    newest, agent = max(found, default=(None, ""))
    return (agent, newest.path) if newest else None


def transcript_of(agent: str, session_id: str) -> str | None:
    """Returns the transcript of one session, in any project."""
    stem = reader_of(agent).stem
    named = (path for path in places_of(agent).conversations("") if stem(path) == session_id)
    newest = next(iter(_newest_first(agent, named)), None)
    return newest.path if newest else None


def _newest_first(agent: str, paths: Iterable[str]) -> list[Dated]:
    dated = []
    store = store_of(agent)
    times: dict[str, int] = {}  # of the sessions in stores; each store is asked once
    for path in paths:
        try:
            held = store.store_of(path) if store else None
            if store and held and path not in times:
                times |= {each.path: each.state.modified for each in store.sessions(held)}
            dated.append(Dated(times[path] if held else os.stat(path).st_mtime_ns, path))
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
