"""The table of state files: name, location and content of each. Only reading needs no lock."""

from collections.abc import Callable, Sequence
from typing import Any, Generic

import msgspec

from lessons.alert import AlertsBaseline
from lessons.code_review import Consolidation, ReviewEntry, WarnedFiles, entry_document
from lessons.session import (
    AgentInvocation,
    AutoSave,
    Commit,
    CommitTracker,
    ContextTracking,
    Handoff,
    SessionState,
    Work,
)
from lessons.store.project_state import documents, files, lines
from lessons.store.project_state.documents import Document
from lessons.store.project_state.lines import Record
from lessons.store.project_state.state_lock import locked_state
from lessons.store.project_state.state_paths import StatePaths

Kinds = dict[str, type[msgspec.Struct]]


class SessionFile(Generic[Document]):
    """A document of each session; for most of them also one of the project: that of the latest session."""

    def __init__(self, name: str, kind: type[Document], latest: str = "") -> None:
        self.name, self.kind = name, kind
        self._latest = latest  # the folder of the latest one: hooks, state or none

    def own_file(self, paths: StatePaths, session_id: str) -> str:
        return f"{paths.session(session_id)}/{self.name}"

    def latest_file(self, paths: StatePaths) -> str:
        """Returns its path; a hidden file in `hooks/`, as the contract says."""
        folders = {"hooks": f"{paths.hooks}/.{self.name}", "state": f"{paths.state}/{self.name}"}
        return folders.get(self._latest, "")

    def read_of(self, paths: StatePaths, session_id: str) -> Document | None:
        return documents.read(paths, self.own_file(paths, session_id), self.kind)

    def read_or_new(self, paths: StatePaths, session_id: str) -> Document:
        """Returns an empty document if the file is missing or damaged."""
        return self.read_of(paths, session_id) or self.kind()

    def read_latest(self, paths: StatePaths) -> Document | None:
        return documents.read(paths, self.latest_file(paths), self.kind)

    def read_all(self, paths: StatePaths) -> list[Document]:
        found = (documents.read(paths, f"{folder}/{self.name}", self.kind) for folder in files.session_folders(paths))
        return [document for document in found if document is not None]

    def write(self, paths: StatePaths, session_id: str, value: Document) -> None:
        with locked_state(paths) as here:
            self.put(here, session_id, value)

    def put(self, paths: StatePaths, session_id: str, value: Document, is_latest: bool = True) -> None:
        """The caller holds the lock."""
        documents.write(paths, self.own_file(paths, session_id), value, self.latest_file(paths) if is_latest else "")


class LogFile(Generic[Record]):
    """Lines that are added once each; one that `rotates` keeps the newest 300 to 500."""

    def __init__(
        self,
        name: str,
        kind: type[Record],
        key: Callable[[Record], str | None],
        document_of: Callable[[Record], dict[str, object]] = documents.as_document,
        rotates: bool = True,
    ) -> None:
        self.name, self.kind, self.key = name, kind, key
        self.document_of, self.rotates = document_of, rotates

    def file_of(self, paths: StatePaths) -> str:
        return f"{paths.state}/{self.name}"

    def read(self, paths: StatePaths) -> list[Record]:
        """Returns the records, newest last."""
        return lines.read(paths, self.file_of(paths), self.kind)

    def add(self, paths: StatePaths, records: Sequence[Record]) -> int:
        """Returns how many were new."""
        if not records:
            return 0
        with locked_state(paths) as here:
            return lines.add(here, self.file_of(here), records, self.key, self.document_of, self.rotates)


class SharedFile(Generic[Document]):
    """A document that all sessions of a project share."""

    def __init__(self, name: str, kind: type[Document], folder: str = "hooks") -> None:
        self.name, self.kind = name, kind
        self._folder = folder  # hooks or state

    def file_of(self, paths: StatePaths) -> str:
        return f"{paths.hooks if self._folder == 'hooks' else paths.state}/{self.name}"

    def read(self, paths: StatePaths) -> Document:
        return documents.read(paths, self.file_of(paths), self.kind) or self.kind()

    def write(self, paths: StatePaths, value: Document) -> None:
        with locked_state(paths) as here:
            documents.write(here, self.file_of(here), value)


session_states = SessionFile("session-state.json", SessionState, "hooks")  # the latest started or was resumed last
context_tracking = SessionFile("context-tracking-state.json", ContextTracking, "hooks")
auto_save = SessionFile("auto-save-state.json", AutoSave, "hooks")
handoffs = SessionFile("handoff.json", Handoff, "state")
# Write it after everything that is derived from it: after a kill in between, only the same bytes are read again.
work_file = SessionFile("work.json", Work)
# Write it once the commits up to there are in the log: after a kill in between, only they are checked again.
commit_tracker = SharedFile(".commit-tracker-state.json", CommitTracker)
commit_log = LogFile("commit-log.jsonl", Commit, lambda commit: commit.hash)
agent_invocations = LogFile("agent-invocations.jsonl", AgentInvocation, lambda invocation: invocation.tool_use_id)
review_log = LogFile("reviews.jsonl", ReviewEntry, lambda entry: entry.key, entry_document, rotates=False)
consolidation = SharedFile("consolidation.json", Consolidation, "state")
warned_files = SharedFile("warned-files.json", WarnedFiles, "state")
alerts_baseline = SharedFile("alerts-baseline.json", AlertsBaseline, "state")

SESSION_FILES: tuple[SessionFile[Any], ...] = (session_states, context_tracking, auto_save, handoffs, work_file)
SHARED_FILES: tuple[SharedFile[Any], ...] = (commit_tracker, consolidation, warned_files, alerts_baseline)
LOGS: tuple[LogFile[Any], ...] = (commit_log, agent_invocations, review_log)


def note_save(paths: StatePaths, session_id: str, now_ms: int) -> None:
    with locked_state(paths) as here:
        before = auto_save.read_or_new(here, session_id)
        after = AutoSave(last_save=max(before.last_save, now_ms), save_count=before.save_count + 1)
        auto_save.put(here, session_id, after)


def note_warned(paths: StatePaths, session_id: str) -> None:
    """Records that the warning about many files was shown; it is not repeated until the next reset."""
    with locked_state(paths) as here:
        value = context_tracking.read_or_new(here, session_id)
        value.warning_shown = True
        context_tracking.put(here, session_id, value)


def documents_of(paths: StatePaths) -> Kinds:
    """Returns the documents that all sessions of the project share, with their types."""
    latest = {path: file.kind for file in SESSION_FILES if (path := file.latest_file(paths))}
    return {**latest, **{file.file_of(paths): file.kind for file in SHARED_FILES}}


def documents_in(folder: str) -> Kinds:
    """Returns the documents of one session, by its folder."""
    return {f"{folder}/{file.name}": file.kind for file in SESSION_FILES}


def logs_of(paths: StatePaths) -> Kinds:
    return {log.file_of(paths): log.kind for log in LOGS}
