"""The state files of a project: name, location and content of each, and the only way to read and write them.

Follows no link and never waits for a pipe. A damaged file counts as missing, and the next write replaces it. Only
reading needs no lock.
"""

import json
import os
import stat
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Generic, NamedTuple, TypeVar

import msgspec

from lessons.errors import Refused
from lessons.project_state import (
    AgentInvocation,
    AlertsBaseline,
    AutoSave,
    Commit,
    CommitTracker,
    Consolidation,
    ContextTracking,
    Handoff,
    ReviewEntry,
    SessionState,
    entry_document,
    seconds,
)
from lessons.store import files
from lessons.store.files import locked, make_private_folders
from lessons.store.state_paths import StatePaths, is_plain_folder, mark_file
from lessons.system import O_NOFOLLOW, open_regular

Document = TypeVar("Document")
Record = TypeVar("Record", bound=msgspec.Struct)
MOST_BYTES = 64 * 1024 * 1024
MOST_LINES = 500  # of a log that rotates
KEPT_LINES = 300
_MOST_WARNED = 5000
_LOCK_SECONDS = 5.0


class Damaged(Exception):
    """The path exists but is not the file it should be; the text says what it is."""


@contextmanager
def locked_state(paths: StatePaths, seconds: float = _LOCK_SECONDS) -> Iterator[StatePaths]:
    """Allows one writer per project at a time; raises Busy after the wait.

    The lock is in the data home, whose files no repository can create beforehand. `lessons init --project` may have
    held it: the state is written to its present location.
    """
    with locked(paths.own + "/state", seconds):
        if not os.path.lexists(mark_file(paths.own)):  # without the root a project could not be found by its path
            files.write_text(mark_file(paths.own), json.dumps({"root": paths.root}) + "\n")
        yield StatePaths(paths.home, paths.root)


# The bytes of a file. A caller that writes holds the lock.


def read_bytes(paths: StatePaths, path: str) -> bytes | None:
    """Returns None if there is no such file."""
    if wrong := _wrong_folder(paths, path):
        raise Damaged(f"is in {wrong}, which is no plain folder")
    if os.path.islink(path):
        raise Damaged("is a link")
    try:
        with open_regular(path, O_NOFOLLOW) as file:
            content = file.read(MOST_BYTES + 1)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise Damaged(f"cannot be read ({error.strerror})") from None
    if len(content) > MOST_BYTES:
        raise Damaged(f"is larger than {MOST_BYTES // 1024 // 1024} MB")
    return content


def put_bytes(paths: StatePaths, path: str, content: bytes) -> None:
    """Writes the whole file in one step, instead of a link or pipe in its place."""
    if wrong := _wrong_folder(paths, path):
        raise Refused(f"{wrong} is no plain folder, so nothing is stored there: remove it.")
    if paths.in_project:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        mask = os.umask(0o077)
        os.umask(mask)
    else:
        make_private_folders(os.path.dirname(path))
    if os.path.lexists(path) and not stat.S_ISREG(os.lstat(path).st_mode):
        os.unlink(path)
    files.write_bytes(path, content, 0o666 & ~mask if paths.in_project else 0o600)


def session_folders(paths: StatePaths) -> list[str]:
    """Returns the folders of all sessions with files here."""
    if not is_plain_folder(paths.sessions):
        return []
    with os.scandir(paths.sessions) as entries:
        return sorted(entry.path for entry in entries if entry.is_dir(follow_symlinks=False))


def _wrong_folder(paths: StatePaths, path: str) -> str:
    """Returns a folder of the file in whose place a repository or an accident has put something else."""
    folders = (paths.hooks, paths.state, paths.sessions, os.path.dirname(path))
    above = (folder for folder in folders if path.startswith(folder + "/"))
    return next((folder for folder in above if os.path.lexists(folder) and not is_plain_folder(folder)), "")


# One JSON document.


def encoded(document: dict[str, object], indent: int | None = None) -> bytes:
    """Returns one line or many; half surrogate pairs, which a transcript or path may contain, become question marks."""
    separators = None if indent else (",", ":")
    text = json.dumps(document, ensure_ascii=False, indent=indent, separators=separators, default=as_document)
    return text.encode("utf-8", "replace") + b"\n"


def as_document(value: Any) -> dict[str, object]:
    """Returns the fields by their names in the file."""
    if isinstance(value, dict):
        return value
    names = zip(value.__struct_fields__, value.__struct_encode_fields__, strict=True)
    return {name: getattr(value, field) for field, name in names}


def read_document(paths: StatePaths, path: str, kind: type[Document]) -> Document | None:
    try:
        return _decoded(paths, path, kind)
    except Damaged:
        return None


def _decoded(paths: StatePaths, path: str, kind: type[Document]) -> Document | None:
    content = read_bytes(paths, path)
    try:
        return None if content is None else msgspec.json.decode(content, type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as fault:
        raise Damaged(f"is not what it should be ({type(fault).__name__})") from None


class SharedFile(Generic[Document]):
    """A document of the project."""

    def __init__(self, name: str, kind: type[Document], folder: str = "state") -> None:
        self.name, self.kind, self._folder = name, kind, folder

    def file_of(self, paths: StatePaths) -> str:
        """Returns its path; a hidden file in `hooks/`, as the contract says."""
        return f"{paths.hooks}/.{self.name}" if self._folder == "hooks" else f"{paths.state}/{self.name}"

    def read(self, paths: StatePaths) -> Document:
        """Returns an empty document if the file is missing or damaged."""
        return self.read_latest(paths) or self.kind()

    def read_latest(self, paths: StatePaths) -> Document | None:
        return read_document(paths, self.file_of(paths), self.kind)

    def put(self, paths: StatePaths, value: Document) -> None:
        """The caller holds the lock."""
        put_bytes(paths, self.file_of(paths), encoded(as_document(value), indent=2))

    def change(self, paths: StatePaths, changed: Callable[[Document], Document]) -> tuple[Document, Document]:
        """Writes the result of the function if it differs; returns both."""
        with locked_state(paths) as here:
            before = self.read(here)
            after = changed(before)
            if after != before:
                self.put(here, after)
            return before, after


class SessionFile(SharedFile[Document]):
    """A document of each session; that of the project is a copy from the session that wrote last."""

    def own_file(self, paths: StatePaths, session_id: str) -> str:
        return f"{paths.session(session_id)}/{self.name}"

    def read_of(self, paths: StatePaths, session_id: str) -> Document | None:
        return read_document(paths, self.own_file(paths, session_id), self.kind)

    def read_or_new(self, paths: StatePaths, session_id: str) -> Document:
        """Returns an empty document if the file is missing or damaged."""
        return self.read_of(paths, session_id) or self.kind()

    def read_all(self, paths: StatePaths) -> list[Document]:
        found = (read_document(paths, f"{folder}/{self.name}", self.kind) for folder in session_folders(paths))
        return [document for document in found if document is not None]

    def write(self, paths: StatePaths, session_id: str, value: Document) -> None:
        with locked_state(paths) as here:
            self.put_of(here, session_id, value)

    def put_of(self, paths: StatePaths, session_id: str, value: Document, is_latest: bool = True) -> None:
        """The caller holds the lock."""
        put_bytes(paths, self.own_file(paths, session_id), encoded(as_document(value), indent=2))
        if is_latest:
            self.put(paths, value)


# A file of JSON lines.


class Line(NamedTuple, Generic[Record]):
    """A line as written, and its record."""

    text: bytes
    record: Record


def sound_lines(content: bytes, kind: type[Record]) -> list[Line[Record]]:
    """Skips lines that are cut off or of another kind."""
    decoder = msgspec.json.Decoder(kind)
    found = []
    for text in content.split(b"\n"):
        try:
            found.append(Line(text, decoder.decode(text)))
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            continue
    return found


class LogFile(Generic[Record]):
    """Lines that are added once each; one that `rotates` keeps the newest 300 to 500."""

    def __init__(
        self,
        name: str,
        kind: type[Record],
        key: Callable[[Record], str | None],
        document_of: Callable[[Record], dict[str, object]] = as_document,
        rotates: bool = True,
    ) -> None:
        self.name, self.kind, self._key = name, kind, key
        self._document_of, self._rotates = document_of, rotates

    def file_of(self, paths: StatePaths) -> str:
        return f"{paths.state}/{self.name}"

    def read(self, paths: StatePaths) -> list[Record]:
        """Returns the records, newest last."""
        try:
            return [line.record for line in sound_lines(read_bytes(paths, self.file_of(paths)) or b"", self.kind)]
        except Damaged:
            return []

    def add(self, paths: StatePaths, records: Sequence[Record]) -> int:
        """Returns how many were new."""
        if not records:
            return 0
        with locked_state(paths) as here:
            return self.put(here, records)

    def put(self, paths: StatePaths, records: Iterable[Record]) -> int:
        """The caller holds the lock."""
        return self.put_lines(paths, sound_lines(self.encoded(records), self.kind))

    def put_lines(self, paths: StatePaths, lines: Iterable[Line[Record]]) -> int:
        """Adds lines that are not there yet, by their key or else as a whole. The caller holds the lock."""
        path = self.file_of(paths)
        try:
            content = read_bytes(paths, path) or b""
        except Damaged:
            content = b""
        there = sound_lines(content, self.kind)
        known = {self._key(line.record) or line.text for line in there}
        by_key: dict[str | bytes, Line[Record]] = {}
        for line in lines:
            by_key.setdefault(self._key(line.record) or line.text, line)
        new = [line for key, line in by_key.items() if key not in known]
        if not new:
            return 0
        if self._rotates and len(content.splitlines()) + len(new) > MOST_LINES:
            content, new_lines = b"", [*there, *new][-KEPT_LINES:]
        else:
            new_lines = new
        torn = bool(content) and not content.endswith(b"\n")  # a crash cut its last line off
        put_bytes(paths, path, content + b"\n" * torn + b"".join(line.text + b"\n" for line in new_lines))
        return len(new)

    def encoded(self, records: Iterable[Record]) -> bytes:
        return b"".join(encoded(self._document_of(record)) for record in records)


# The table.

session_states = SessionFile("session-state.json", SessionState, "hooks")  # the latest started or was resumed last
context_tracking = SessionFile("context-tracking-state.json", ContextTracking, "hooks")
auto_save = SessionFile("auto-save-state.json", AutoSave, "hooks")
handoffs = SessionFile("handoff.json", Handoff)
commit_tracker = SharedFile("commit-tracker-state.json", CommitTracker, "hooks")
commit_log = LogFile("commit-log.jsonl", Commit, lambda commit: commit.hash)
agent_invocations = LogFile("agent-invocations.jsonl", AgentInvocation, lambda invocation: invocation.tool_use_id)
review_log = LogFile("reviews.jsonl", ReviewEntry, lambda entry: entry.key, entry_document, rotates=False)
consolidation = SharedFile("consolidation.json", Consolidation)
warned_files = SharedFile("warned-files.json", dict[str, str])  # `<file>::<slug>`: when a rule first warned about it
alerts_baseline = SharedFile("alerts-baseline.json", AlertsBaseline)

SESSION_FILES: tuple[SessionFile[Any], ...] = (session_states, context_tracking, auto_save, handoffs)
SHARED_FILES: tuple[SharedFile[Any], ...] = (commit_tracker, consolidation, warned_files, alerts_baseline)
LOGS: tuple[LogFile[Any], ...] = (commit_log, agent_invocations, review_log)
# Of a session, including a file of an earlier version.
SESSION_NAMES = (*(file.name for file in SESSION_FILES), "work.json")


def files_of(paths: StatePaths, folders: Iterable[str] = ()) -> dict[str, type[Any]]:
    """Returns the files of the project, and of the sessions with these folders, with the type of what they hold."""
    found = {file.file_of(paths): file.kind for file in (*SESSION_FILES, *SHARED_FILES)}
    found |= {log.file_of(paths): log.kind for log in LOGS}
    return found | {f"{folder}/{file.name}": file.kind for folder in folders for file in SESSION_FILES}


def problem_in(paths: StatePaths, path: str, kind: type[Any]) -> str:
    """Returns what is wrong with a document or log; empty if nothing is."""
    try:
        if not path.endswith(".jsonl"):
            _decoded(paths, path, kind)
            return ""
        content = read_bytes(paths, path) or b""
    except Damaged as damage:
        return f"{damage}: it counts as empty"
    unreadable = sum(1 for text in content.split(b"\n") if text.strip()) - len(sound_lines(content, kind))
    return f"has {unreadable} unreadable line{'s' * (unreadable != 1)}, passed over" if unreadable else ""


# What single files need beyond that.


def all_handoffs(paths: StatePaths) -> list[Handoff]:
    """Returns one per session, newest first."""
    latest = handoffs.read_latest(paths)
    found = [*([latest] if latest else []), *handoffs.read_all(paths)]
    # A session's own handoff comes after the latest and replaces it.
    by_session = {handoff.session_id: handoff for handoff in found}
    return sorted(by_session.values(), key=lambda handoff: seconds(handoff.timestamp), reverse=True)


def note_warned(paths: StatePaths, session_id: str) -> None:
    """Records that the warning about many files was shown; it is not repeated until the next reset."""
    with locked_state(paths) as here:
        value = context_tracking.read_or_new(here, session_id)
        value.warning_shown = True
        context_tracking.put_of(here, session_id, value)


def read_warned(paths: StatePaths) -> dict[str, str] | None:
    """Returns None if the file is damaged."""
    try:
        found = _decoded(paths, warned_files.file_of(paths), warned_files.kind) or {}
    except Damaged:
        return None
    return found if all(seconds(moment) for moment in found.values()) else None


def change_warned(paths: StatePaths, changed: Callable[[dict[str, str]], dict[str, str]]) -> None:
    """Writes the result of the function; a damaged file counts as empty."""
    with locked_state(paths) as here:
        before = read_warned(here)
        after = changed(before or {})
        if before != after:
            newest = sorted(after.items(), key=lambda item: (item[1], item[0]))[-_MOST_WARNED:]
            warned_files.put(here, dict(sorted(newest)))
