"""The state of a project in the data home in, the same in the project's own folders out; nothing newer is lost."""

import os
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import msgspec

from lessons.store.project_state import agent_invocations, commit_log, documents, files, inventory, lines
from lessons.store.project_state.files import Damaged
from lessons.store.project_state.state_paths import Place

# Told apart as their own modules do.
_KEYS: dict[str, Callable[[Any], str | None]] = {
    "commit-log.jsonl": commit_log.key,
    "agent-invocations.jsonl": agent_invocations.key,
}


def copy_all(source: Place, target: Place) -> list[str]:
    """The files that the target now has all of; damaged ones stay where they are. The caller holds the lock."""
    pairs = _pairs(inventory.documents_of(source), source, target)
    for folder in files.session_folders(source):
        pairs |= _pairs(inventory.documents_in(folder), source, target)
    copied = [path for path, (to, kind) in pairs.items() if _copy_document(source, target, path, to, kind)]
    for path, (to, kind) in _pairs(inventory.lines_of(source), source, target).items():
        if _copy_lines(source, target, path, to, kind):
            copied.append(path)
    return copied


def remove_all(paths: list[str], source: Place) -> None:
    """What has been copied, and the folders that are empty then."""
    for path in paths:
        os.unlink(path)
    for folder in [*files.session_folders(source), files.sessions_folder(source), source.hooks, source.state]:
        with suppress(OSError):  # something else is in it
            os.rmdir(folder)


def _pairs(kinds: inventory.Kinds, source: Place, target: Place) -> dict[str, tuple[str, type[msgspec.Struct]]]:
    bases = ((source.hooks, target.hooks), (source.state, target.state))
    return {
        path: (to + path[len(base) :], kind)
        for path, kind in kinds.items()
        for base, to in bases
        if path.startswith(base + "/")
    }


def _copy_document(source: Place, target: Place, path: str, to: str, kind: type[msgspec.Struct]) -> bool:
    if not os.path.lexists(path) or documents.problem_in(source, path, kind):
        return False
    content, time = files.read(source, path) or b"", os.stat(path).st_mtime_ns
    files.make_folders(target, to)
    if problem := documents.problem_in(target, to, kind):
        files.set_aside(target, to, problem)
    # The times are kept too, so that a second run after a kill finds what was copied before.
    if not os.path.lexists(to) or os.stat(to).st_mtime_ns < time:
        files.put(target, to, content)
        os.utime(to, ns=(time, time))
    return True


def _copy_lines(source: Place, target: Place, path: str, to: str, kind: type[msgspec.Struct]) -> bool:
    try:
        content = files.read(source, path)
    except Damaged:
        return False
    if content is None:
        return False
    lines.add_lines(target, to, lines.sound_lines(content, kind), kind, _KEYS[os.path.basename(path)])
    return True
