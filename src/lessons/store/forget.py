"""Deletes what the user wants forgotten from every file of the data home; the caller holds the scan lock."""

import glob
import os
import re
import shutil
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256

import msgspec

from lessons import paths
from lessons.errors import LessonsError, NotFound, Refused
from lessons.store import (
    compiled_lessons,
    consent,
    forget_lessons,
    forget_state,
    lesson_file,
    memory_index,
)
from lessons.store import decisions as all_decisions
from lessons.store.claims import SESSION_PREFIX, clear, forget_session, names_in, read, root_folders, safe_name
from lessons.store.files import locked
from lessons.store.forget_lessons import Traces
from lessons.store.forget_scope import ForgetScope, existing
from lessons.store.history import backups
from lessons.store.history import forget as rows
from lessons.store.history.forget import Found, Gone
from lessons.store.history.forget import finish as finish
from lessons.store.history.history import History
from lessons.store.injection_files import rotated
from lessons.store.json_text import decode

_SHORTEST_PREFIX = 6
_SECONDS = 30
_LONGEST_ROOT = 8_192
# Writing a file takes far less.
_WRITING_SECONDS = 60
_BEGINNING = b'{"time":'
_MOMENT = re.compile(r'(?:\{"time":")?(\d{4}-\d\d-\d\dT[^\s"]*)')  # plain lines and JSON begin with it
Belongs = Callable[[bytes], bool]
_Lines = Callable[[list[str], Belongs], int]  # counts or blanks lines of log files


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
    """Returns what would be deleted."""
    found, traces, decided = _look(home, scope)
    cleaned = forget_lessons.clean_lessons(home, traces, decided, act=False)
    in_copies = forget_lessons.clean_lesson_copies(home, traces, decided, act=False)
    changed = forget_lessons.survey_decisions(home, traces, cleaned.digests, _slugs(home))
    done = _summary(home, traces, found, count, forget_state.survey_state(home, traces))
    return _with_lessons(done, cleaned, in_copies, changed)


def forget(home: str, scope: ForgetScope, damaged_too: bool = False, in_project_too: bool = False) -> Forgetting:
    """Records the scope first: even if this is killed, no scan brings anything back, and another call finishes it.

    The rows of the history are deleted last, because they tell what else belongs to the scope.
    """
    found, traces, decided = _look(home, scope)
    _note(home, scope, traces.deleted)
    with suppress(FileNotFoundError):
        os.unlink(paths.report_file(home))
    memory_index.remove(home)
    forget_claims(home, traces)
    done = _summary(home, traces, found, blank, forget_state.clean_state(home, traces, in_project_too))
    # A backup in progress must finish first, to be cleaned too; the next one is made from what is left.
    with locked(os.path.join(paths.backups_folder(home), "backup"), _SECONDS):
        remove_leftovers(home)
        compiled_lessons.remove(home)
        cleaned = forget_lessons.clean_lessons(home, traces, decided, act=True)
        with kept_right(home):
            in_copies = forget_lessons.clean_lesson_copies(home, traces, decided, act=True)
            digests, slugs = {**in_copies.digests, **cleaned.digests}, _slugs(home)
            changed = forget_lessons.clean_decisions(home, traces, digests, slugs)
            forget_lessons.clean_decision_copies(home, traces, digests, slugs)
        rows.delete_rows(home, scope)
    done = _with_lessons(done, cleaned, in_copies, changed)
    if damaged_too:
        for path in done.unreadable:
            os.unlink(path)
    return done


def session_named(home: str, name: str) -> str:
    """Returns the whole id, found by itself or by a beginning that only one session has."""
    known = sessions_in(home) | forget_state.sessions_with_state(home) | rows.known_sessions(home)
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
    if os.path.isabs(os.path.expanduser(name)) or name.startswith(".") or os.path.isdir(folder):
        return folder
    end = "/" + name.replace("\\", "/").strip("/")
    found = [each for each in _projects(home) if each.replace("\\", "/").rstrip("/").endswith(end)]
    if len(found) > 1:
        raise Refused(f"{len(found)} projects end with {name!r}: write the whole path of {' or '.join(found[:3])}.")
    return found[0] if found else folder


def _projects(home: str) -> list[str]:
    if not os.path.exists(paths.history_file(home)):
        return []
    with History.for_reading(home) as opened:
        return opened.sessions.projects()


def _look(home: str, scope: ForgetScope) -> tuple[Found, Traces, list[all_decisions.Decision]]:
    decided = all_decisions.read(home)
    found = rows.survey_rows(home, scope, forget_lessons.quoted_in(home, decided))
    return found, Traces(scope, found.together()), decided


def _slugs(home: str) -> frozenset[str]:
    return frozenset(lesson_file.read(home).names())


def _note(home: str, scope: ForgetScope, deleted: Gone) -> None:
    if not scope.folders:
        consent.record_forgotten(home, session=scope.session, before=scope.before)
    # A work tree elsewhere becomes a separate project once it is deleted from disk.
    worked_in = {folder for folder in deleted.folders if scope.folders and folder and not scope.covers_folder(folder)}
    for folder in (*scope.folders, *sorted(worked_in)):
        consent.record_forgotten(home, project=folder)


def _summary(home: str, traces: Traces, found: Found, act: _Lines, state: forget_state.CleanedState) -> Forgetting:
    """Counts the rows of the history, the lines of the logs and the state; for copies only lists those affected."""
    main, deleted = paths.history_file(home), traces.deleted
    copies = [path for path, gone in found.gone.items() if any(gone.rows.values()) and path != main]
    stored = found.gone.get(main, Gone()).rows
    unfolded = act(injection_files(home), injections_of(traces.scope))
    act(folded_files(home), injections_of(traces.scope))
    counts = {
        **stored,
        "injections": stored.get("injections", 0) + unfolded,
        "log_lines": act(log_files(home), log_lines_of(traces.scope, deleted.files)),
        "state_files": state.files,
    }
    unreadable = found.unreadable + state.unreadable
    return Forgetting(counts, deleted.first, deleted.last, copies, unreadable, state.in_project, [])


def _with_lessons(
    done: Forgetting, cleaned: forget_lessons.CleanedLessons, in_copies: forget_lessons.CleanedLessons, changed: int
) -> Forgetting:
    done.rows |= {"examples": cleaned.examples, "decisions": changed}
    done.lessons = cleaned.slugs
    done.unreadable += in_copies.unreadable
    return done


# What running sessions of the scope were shown, including sessions that are recorded only here.


def forget_claims(home: str, traces: Traces) -> None:
    for session in traces.sessions:
        forget_session(home, session)
    for root in root_folders(home):
        for name in names_in(root):
            if name.startswith(SESSION_PREFIX) and _belongs(f"{root}/{name}", name, traces):
                clear(f"{root}/{name}")


def _belongs(folder: str, name: str, traces: Traces) -> bool:
    began_in = (read(f"{folder}/root", _LONGEST_ROOT) or b"").decode("utf-8", "replace")
    if traces.scope.folders and began_in and traces.scope.covers_folder(began_in):
        return True
    return name.removeprefix(SESSION_PREFIX) in {safe_name(session) for session in traces.sessions}


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


@contextmanager
def kept_right(home: str) -> Iterator[None]:
    """Keeps a file that was damaged before marked as damaged. The caller holds the lock of the backups."""
    sound = {each.name: _sound_files(home, each) for each in backups.listing(home)}
    yield
    for each in backups.listing(home):
        digests = {name: _digest(home, each, name) for name in sound.get(each.name, ())}
        if digests.items() - each.digests.items():
            each.digests |= digests
            backups.describe(home, each)


def _sound_files(home: str, backup: backups.Backup) -> list[str]:
    return [name for name, digest in backup.digests.items() if _digest(home, backup, name) == digest]


def _digest(home: str, backup: backups.Backup, name: str) -> str:
    with suppress(OSError, LessonsError):
        path = os.path.join(backups.folder_of(home, backup.name), os.path.basename(name))
        with open(path, "rb") as file:
            return sha256(file.read()).hexdigest()
    return ""


# Lines of log files.


def injection_files(home: str) -> list[str]:
    """Returns the log of the hook, and its copies in the backups."""
    folded = set(folded_files(home))
    return [path for path in existing(home, "injections") if path not in folded]


def folded_files(home: str) -> list[str]:
    """Returns the rotated parts of the log: their lines are in the history too, and are counted there."""
    return rotated(home)


def log_files(home: str) -> list[str]:
    return existing(home, "log")


def sessions_in(home: str) -> set[str]:
    """Returns every session in the log of the hook."""
    files = (*injection_files(home), *folded_files(home))
    events = (_decoded_line(line) for path in files for _, line in _lines(path))
    return {str(event["session"]) for event in events if event and event.get("session")}


def injections_of(scope: ForgetScope) -> Belongs:
    def belongs(line: bytes) -> bool:
        event = _decoded_line(line) or {}
        names = (str(event.get(key) or "") for key in ("session", "cwd", "time"))
        return bool(event) and scope.covers(*names)

    return belongs


def log_lines_of(scope: ForgetScope, files: Iterable[str]) -> Belongs:
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


def count(paths_of_files: Iterable[str], belongs: Belongs) -> int:
    return sum(belongs(line) for path in paths_of_files for _, line in _lines(path))


def blank(paths_of_files: Iterable[str], belongs: Belongs) -> int:
    """Overwrites matching lines with spaces in place: a hook may append a line meanwhile, and none may be lost."""
    blanked = 0
    for path in paths_of_files:
        with open(path, "r+b", buffering=0) as file:
            for start, line in list(_lines(path)):
                all_of_it = belongs(line)
                blanked += all_of_it
                length = len(line) if all_of_it else _cut_off(line) if ".jsonl" in path else 0
                os.pwrite(file.fileno(), b" " * length, start)
            os.fsync(file.fileno())
    return blanked


def _cut_off(line: bytes) -> int:
    """Returns the length of what a crash left, before a whole line or alone: it may contain anything."""
    return len(line) if _decoded_line(line) is None else max(line.rfind(_BEGINNING), 0)


def _lines(path: str) -> Iterator[tuple[int, bytes]]:
    """Yields where each line begins, and its bytes without the line end; leaves out blank ones."""
    position = 0
    try:
        with open(path, "rb") as file:
            for line in file:
                if line.strip():
                    yield position, line.rstrip(b"\r\n")
                position += len(line)
    except FileNotFoundError:
        return


def _decoded_line(line: bytes) -> dict[str, object] | None:
    try:
        value = decode(line[max(line.rfind(_BEGINNING), 0) :].decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None
