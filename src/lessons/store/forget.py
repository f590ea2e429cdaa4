"""Deletes what the user wants forgotten from every file of the data home; the caller holds the scan lock."""

import glob
import os
import re
import shutil
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, suppress

import msgspec

from lessons import paths
from lessons.errors import NotFound, Refused
from lessons.store import consent, decisions, forget_lessons, forget_state, memory_index
from lessons.store.claims import SESSION_PREFIX, clear, forget_session, names_in, read, root_folders
from lessons.store.files import locked
from lessons.store.forget_scope import ForgetScope, Traces, existing
from lessons.store.history import forget as rows
from lessons.store.history.forget import Gone
from lessons.store.history.forget import finish as finish
from lessons.store.history.history import History
from lessons.store.injection_files import rotated
from lessons.store.logs import event_bytes, event_in

_SHORTEST_PREFIX = 6
_SECONDS = 30
_LONGEST_ROOT = 8_192
# Writing a file takes far less.
_WRITING_SECONDS = 60
_MOMENT = re.compile(r'(?:\{"time":")?(\d{4}-\d\d-\d\dT[^\s"]*)')  # plain lines and JSON begin with it
Belongs = Callable[[bytes], bool]


class Forgetting(msgspec.Struct):
    """What is deleted, or would be."""

    rows: dict[str, int]
    first: str
    last: str
    backups: list[str]  # copies of the history that contain some of it
    unreadable: list[str]  # damaged copies, whose content is unknown
    in_project: list[str]  # state files in the project itself
    lessons: list[str]  # slugs of lessons made from it, whose texts stay

    def __bool__(self) -> bool:
        return any(self.rows.values()) or bool(self.backups) or bool(self.in_project)


def survey(home: str, scope: ForgetScope) -> Forgetting:
    return _clean(home, scope, act=False)


def forget(home: str, scope: ForgetScope, damaged_too: bool = False, in_project_too: bool = False) -> Forgetting:
    """Records the scope first: even if this is killed, no scan brings anything back, and another call finishes it."""
    done = _clean(home, scope, act=True, in_project_too=in_project_too)
    for path in done.unreadable if damaged_too else ():
        os.unlink(path)
    return done


def _clean(home: str, scope: ForgetScope, act: bool, in_project_too: bool = False) -> Forgetting:
    """Cleans every file, and the history last, because its rows tell what else belongs to the scope."""
    decided = decisions.read(home)
    found = rows.delete_rows(home, scope, forget_lessons.quoted_in(home, decided), act=False)
    deleted = found.together()
    traces = Traces(scope, deleted)
    if act:
        _record(home, scope, deleted)
        with suppress(FileNotFoundError):
            os.unlink(paths.report_file(home))
        memory_index.remove(home)
        _forget_claims(home, traces)
    main, folded = paths.history_file(home), set(rotated(home))
    injections = {path: _blank(path, _injections_of(scope), act) for path in existing(home, "injections")}
    logged = [_blank(path, _log_lines_of(scope, deleted.files), act) for path in existing(home, "log")]
    state = forget_state.clean(home, traces, act, in_project_too)
    with ExitStack() as held:
        if act:
            # A backup in progress must finish first, to be cleaned too; the next one is made from what is left.
            held.enter_context(locked(os.path.join(paths.backups_folder(home), "backup"), _SECONDS))
            remove_leftovers(home)
        lessons = forget_lessons.clean_lessons(home, traces, decided, act)
        changed = forget_lessons.clean_decisions(home, traces, lessons.changed, act)
        if act:
            rows.delete_rows(home, scope)
    stored = found.gone.get(main, Gone()).rows
    counts = {
        **stored,
        # The lines of a rotated log are in the history too, and are counted there.
        "injections": stored.get("injections", 0) + sum(injections[path] for path in injections.keys() - folded),
        "log_lines": sum(logged),
        "state_files": state.files,
        "examples": lessons.examples,
        "decisions": changed,
    }
    copies = [path for path, gone in found.gone.items() if any(gone.rows.values()) and path != main]
    unreadable = found.unreadable + state.unreadable + lessons.unreadable
    return Forgetting(counts, deleted.first, deleted.last, copies, unreadable, state.in_project, lessons.slugs)


def _record(home: str, scope: ForgetScope, deleted: Gone) -> None:
    if not scope.folders:
        consent.record_forgotten(home, session=scope.session, before=scope.before)
    # A work tree elsewhere becomes a separate project once it is deleted from disk.
    worked_in = {folder for folder in deleted.folders if scope.folders and folder and not scope.covers_folder(folder)}
    for folder in (*scope.folders, *sorted(worked_in)):
        consent.record_forgotten(home, project=folder)


def session_named(home: str, name: str) -> str:
    """Returns the whole id, found by itself or by a beginning that only one session has."""
    events = (event_in(line) for path in existing(home, "injections") for _, line in _lines(path))
    known = {str(event["session"]) for event in events if event and event.get("session")}
    known |= forget_state.sessions_with_state(home) | rows.known_sessions(home)
    if name in known:
        return name
    if len(name) < _SHORTEST_PREFIX:
        raise Refused(f"The session {name!r} is too short: write at least {_SHORTEST_PREFIX} characters of its id.")
    found = sorted(each for each in known if each.startswith(name))
    if len(found) > 1:
        raise Refused(f"{len(found)} sessions begin with {name!r}: write more of {' or '.join(found[:3])}.")
    if not found and consent.read_forgotten(home).names_session(name):
        raise NotFound(f"Nothing is stored about the session {name}: it was deleted earlier.")
    if not found:
        raise NotFound(f"No session begins with {name!r}: `lessons search` shows the sessions of what it finds.")
    return found[0]


def project_named(home: str, name: str) -> str:
    """Returns the folder: as it is written, else that of the only project whose path ends with these parts."""
    folder = os.path.abspath(os.path.expanduser(name))
    is_path = os.path.isabs(os.path.expanduser(name)) or name.startswith(".") or os.path.isdir(folder)
    if is_path or not os.path.exists(paths.history_file(home)):
        return folder
    end = "/" + name.replace("\\", "/").strip("/")
    with History.for_reading(home) as history:
        projects = history.sessions.projects()
    found = [each for each in projects if each.replace("\\", "/").rstrip("/").endswith(end)]
    if len(found) > 1:
        raise Refused(f"{len(found)} projects end with {name!r}: write the whole path of {' or '.join(found[:3])}.")
    return found[0] if found else folder


def _forget_claims(home: str, traces: Traces) -> None:
    """Deletes what running sessions of the scope were shown, including sessions that are recorded only here."""
    for session in traces.sessions:
        forget_session(home, session)
    for root in root_folders(home) if traces.scope.folders else ():
        for folder in (f"{root}/{name}" for name in names_in(root) if name.startswith(SESSION_PREFIX)):
            began_in = (read(f"{folder}/root", _LONGEST_ROOT) or b"").decode("utf-8", "replace")
            if began_in and traces.scope.covers_folder(began_in):
                clear(folder)


def remove_leftovers(home: str) -> None:
    """Removes half-written files of killed processes: they contain whatever was being written.

    The caller holds the lock of the backups, so nobody is writing an unfinished one.
    """
    for folder in glob.glob(f"{glob.escape(paths.backups_folder(home))}/.unfinished-*"):
        shutil.rmtree(folder, ignore_errors=True)
    for path in existing(home, "left over"):
        with suppress(OSError):
            if time.time() - os.lstat(path).st_mtime > _WRITING_SECONDS:
                os.unlink(path)


# Lines of log files.


def _injections_of(scope: ForgetScope) -> Belongs:
    def belongs(line: bytes) -> bool:
        event = event_in(line) or {}
        return bool(event) and scope.covers(*(str(event.get(key) or "") for key in ("session", "cwd", "time")))

    return belongs


def _log_lines_of(scope: ForgetScope, files: Iterable[str]) -> Belongs:
    """Matches lines that name the session, the project's folder or one of its transcripts; or that are too old.

    Clients name the folder of a project's transcripts after its path, with a hyphen for each sign.
    """
    folders = [name for folder in scope.folders for name in (folder, re.sub("[^A-Za-z0-9]", "-", folder))]
    names = [name for name in (scope.session, *folders, *files) if name.strip("-")]
    pattern = re.compile("|".join(rf"(?:{re.escape(name)})(?![\w.-]*\w)" for name in names) or r"(?!)")

    def belongs(line: bytes) -> bool:
        text = line.decode("utf-8", "replace")
        moment = _MOMENT.match(text)
        is_old = bool(scope.before and moment and moment[1] < scope.before)
        return is_old or pattern.search(text) is not None

    return belongs


def _blank(path: str, belongs: Belongs, act: bool) -> int:
    """Overwrites matching lines with spaces in place: a hook may append a line meanwhile, and none may be lost."""
    lines = list(_lines(path))
    found = [belongs(line) for _, line in lines]
    if act and lines:
        with open(path, "r+b", buffering=0) as file:
            for (start, line), all_of_it in zip(lines, found, strict=True):
                length = len(line) if all_of_it else _cut_off(line) if ".jsonl" in path else 0
                os.pwrite(file.fileno(), b" " * length, start)
            os.fsync(file.fileno())
    return sum(found)


def _cut_off(line: bytes) -> int:
    """Returns the length of what a crash left, before a whole line or alone: it may contain anything."""
    return len(line) if event_in(line) is None else len(line) - len(event_bytes(line))


def _lines(path: str) -> Iterator[tuple[int, bytes]]:
    """Yields where each line begins, and its bytes without the line end; leaves out blank ones."""
    position = 0
    with suppress(FileNotFoundError), open(path, "rb") as file:
        for line in file:
            if line.strip():
                yield position, line.rstrip(b"\r\n")
            position += len(line)
