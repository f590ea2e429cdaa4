"""Moves the state of a project from the data home into the project's own folders; keeps whatever is newer."""

import os
from contextlib import suppress
from typing import Any

import msgspec

from lessons.store.project_state import documents, files, lines, state_files
from lessons.store.project_state.files import Damaged
from lessons.store.project_state.state_files import LogFile
from lessons.store.project_state.state_paths import StatePaths


def copy_all(source: StatePaths, target: StatePaths) -> list[str]:
    """Returns the files that were copied completely; damaged ones stay where they are. The caller holds the lock."""
    pairs = _pairs(state_files.documents_of(source), source, target)
    for folder in files.session_folders(source):
        pairs |= _pairs(state_files.documents_in(folder), source, target)
    copied = [path for path, (to, kind) in pairs.items() if _copy_document(source, target, path, to, kind)]
    return copied + [log.file_of(source) for log in state_files.LOGS if _copy_log(source, target, log)]


def remove_all(copied: list[str], source: StatePaths) -> None:
    """Removes the copied files, and the folders that are empty then."""
    for path in copied:
        os.unlink(path)
    for folder in [*files.session_folders(source), files.sessions_folder(source), source.hooks, source.state]:
        with suppress(OSError):  # it contains something else
            os.rmdir(folder)


def _pairs(
    kinds: state_files.Kinds, source: StatePaths, target: StatePaths
) -> dict[str, tuple[str, type[msgspec.Struct]]]:
    bases = ((source.hooks, target.hooks), (source.state, target.state))
    return {
        path: (to + path[len(base) :], kind)
        for path, kind in kinds.items()
        for base, to in bases
        if path.startswith(base + "/")
    }


def _copy_document(source: StatePaths, target: StatePaths, path: str, to: str, kind: type[msgspec.Struct]) -> bool:
    if not os.path.lexists(path) or documents.problem_in(source, path, kind):
        return False
    content, time = files.read(source, path) or b"", os.stat(path).st_mtime_ns
    files.make_folders(target, to)
    if problem := documents.problem_in(target, to, kind):
        files.set_aside(target, to, problem)
    # Keeps the times too, so that a second run after a kill finds what was copied before.
    if not os.path.lexists(to) or os.stat(to).st_mtime_ns < time:
        files.put(target, to, content)
        os.utime(to, ns=(time, time))
    return True


def _copy_log(source: StatePaths, target: StatePaths, log: LogFile[Any]) -> bool:
    try:
        content = files.read(source, log.file_of(source))
    except Damaged:
        return False
    if content is None:
        return False
    sound = lines.sound_lines(content, log.kind)
    lines.add_lines(target, log.file_of(target), sound, log.kind, log.key, log.rotates)
    return True
