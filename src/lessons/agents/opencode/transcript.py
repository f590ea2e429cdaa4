"""Reads opencode's sessions, from its database and from the files of older versions (see FORMAT.md)."""

import os
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager

from lessons.agents.opencode import database, json_storage, places
from lessons.agents.whole import Held, NoLines, Snapshot
from lessons.match.call import folder_key
from lessons.store.history.rows import FileState

_DATABASE, _LOG = ".db", "-wal"


class Sessions(NoLines):
    """None of its sources is a file of lines."""

    agent = "opencode"
    suffix = (_DATABASE, _DATABASE + _LOG, places.ENDING)
    # Folders beside the database, and beside the sessions of older versions.
    skipped_folders = frozenset(
        "log snapshot bin tool-output repos worktree plans".split()
        + "message part session_diff session_share todo migration".split()
    )


class SessionStore:
    """A database has many sessions; in the older folder every session is a separate store."""

    def __init__(self, all_texts: bool = False) -> None:
        self._all_texts = all_texts

    def store_of(self, path: str) -> str | None:
        """Returns the store; the write-ahead log belongs to its database."""
        folder, name = os.path.split(path)
        file = name.partition(places.SEPARATOR)[0].removesuffix(_LOG)
        if file.startswith("opencode") and file.endswith(_DATABASE):
            return os.path.join(folder, file)
        return path if json_storage.is_session(path) else None

    def state(self, store: str) -> FileState:
        if not store.endswith(_DATABASE):
            return json_storage.state(store)
        status = os.stat(store)
        size, modified = status.st_size, status.st_mtime_ns
        try:
            log = os.stat(store + _LOG)
            size, modified = size + log.st_size, max(modified, log.st_mtime_ns)
        except FileNotFoundError:
            pass  # everything is already in the database
        return FileState(status.st_ino, size, modified)

    def sessions(self, store: str) -> Sequence[Held]:
        if not store.endswith(_DATABASE):
            return (Held(store, self.state(store)),)
        return [session.held(store) for session in database.sessions(store)]

    def snapshot(self, path: str) -> AbstractContextManager[Snapshot]:
        file, _, identifier = path.rpartition(places.SEPARATOR)
        if file.endswith(_DATABASE):
            return database.snapshot(file, identifier, self._all_texts)
        return json_storage.snapshot(path, self._all_texts)

    def conversations(self, root: str, project_root: str) -> Iterator[str]:
        """Yields sessions that are not a subagent's, in this project or below it, or all if none is named."""
        inside = tuple({folder_key(each) for each in (project_root, os.path.realpath(project_root))})
        try:
            files = [entry.path for entry in os.scandir(root) if self.store_of(entry.path) == entry.path]
        except OSError:
            return
        for file in files:
            try:
                found = database.sessions(file)
            except OSError:
                continue
            for session in found:
                if not session.parent and (not project_root or folder_key(session.folder).startswith(inside)):
                    yield session.held(file).path


READER = FULL_READER = Sessions(places)
STORE = SessionStore()
FULL_STORE = SessionStore(all_texts=True)
