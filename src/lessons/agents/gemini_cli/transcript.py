"""Reads the sessions of Gemini CLI, whole documents and lines alike (see FORMAT.md)."""

import os
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from stat import S_ISREG

from lessons.agents.base import RESULT_FOLDERS, Record
from lessons.agents.follow import Damaged, NotPlainFile
from lessons.agents.gemini_cli import places
from lessons.agents.gemini_cli.session_file import Content, read
from lessons.agents.gemini_cli.session_records import Session, message_record, session_of, title_record
from lessons.agents.object_lines import Fields
from lessons.agents.whole import Held, NoLines, Piece, Snapshot
from lessons.store.faults import describe
from lessons.store.history.rows import FileState

_MESSAGES_AT_ONCE = 50


class Sessions(NoLines):
    """Reads no file line by line: lines repeat and change what earlier ones say."""

    agent = "gemini-cli"
    suffix = places.SUFFIXES
    skipped_folders = frozenset(("logs", "checkpoints")) | RESULT_FOLDERS


class SessionStore:
    """Every file has one session."""

    def __init__(self, all_texts: bool = False) -> None:
        self._all_texts = all_texts

    def store_of(self, path: str) -> str | None:
        return path if places.is_session(path) else None

    def state(self, store: str) -> FileState:
        status = os.stat(store)
        if not S_ISREG(status.st_mode):
            raise NotPlainFile(None, "it is not a regular file")
        return FileState(status.st_ino, status.st_size, status.st_mtime_ns)

    def sessions(self, store: str) -> Sequence[Held]:
        return (Held(store, self.state(store)),)

    def snapshot(self, path: str) -> AbstractContextManager[Snapshot]:
        return self._snapshot(path)

    @contextmanager
    def _snapshot(self, path: str) -> Iterator[Snapshot]:
        state = self.state(path)
        yield Snapshot(state, self._pieces(read(path), places.project_of(path), state.size))

    def _pieces(self, content: Content, folder: str, size: int) -> Iterator[Piece]:
        messages = list(content.messages.values())
        session = session_of(content.metadata, messages, folder)
        yield Piece((*content.damaged, title_record(session)), 1)
        share = size // max(1, len(messages))
        for start in range(0, len(messages), _MESSAGES_AT_ONCE):
            some = messages[start : start + _MESSAGES_AT_ONCE]
            records = [self._record(session, each, start + number) for number, each in enumerate(some)]
            yield Piece(records, share * len(some))

    def _record(self, session: Session, message: Fields, position: int) -> Record | Damaged:
        try:
            return message_record(session, message, position + 1, self._all_texts)
        except Exception as fault:  # a bug must lose only its message
            return Damaged(position + 1, 0, describe(fault))


READER = FULL_READER = Sessions(places)
STORE = SessionStore()
FULL_STORE = SessionStore(all_texts=True)
