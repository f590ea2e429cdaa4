"""Deletes what the user wants forgotten from every file of the data home; the caller holds the scan lock."""

import os
from collections.abc import Callable

import msgspec

from lessons import paths
from lessons.errors import NotFound, Refused
from lessons.store import compiled_lessons, forgotten, lesson_file, memory_index, report_file, slow_patterns
from lessons.store import decisions as all_decisions
from lessons.store.forget import backup_digests, claims, decisions, leftovers, lessons, lines, states
from lessons.store.forget.scope import ForgetScope
from lessons.store.forget.traces import Traces
from lessons.store.history import forget as history
from lessons.store.history.forget import Found, finish
from lessons.store.history.forget_rows import Gone
from lessons.store.history.history import History
from lessons.store.lock import locked

__all__ = ["Forgetting", "finish", "forget", "project_named", "session_named", "survey"]
_SHORTEST_PREFIX = 6
_SECONDS = 30

_Lines = Callable[[list[str], lines.Belongs], int]  # counts or blanks lines of log files


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
    cleaned = lessons.clean(home, traces, decided, act=False)
    in_copies = lessons.clean_copies(home, traces, decided, act=False)
    changed = decisions.survey(home, traces, cleaned.digests, _slugs(home))
    done = _summary(home, traces, found, lines.count, states.survey(home, traces))
    return _with_lessons(done, cleaned, in_copies, changed)


def forget(home: str, scope: ForgetScope, damaged_too: bool = False, in_project_too: bool = False) -> Forgetting:
    """Records the scope first: even if this is killed, no scan brings anything back, and another call finishes it.

    The rows of the history are deleted last, because they tell what else belongs to the scope.
    """
    found, traces, decided = _look(home, scope)
    _note(home, scope, traces.deleted)
    report_file.remove(home)
    memory_index.remove(home)
    claims.forget(home, traces)
    done = _summary(home, traces, found, lines.blank, states.clean(home, traces, in_project_too))
    lines.blank_unknown_types(home)
    # A backup in progress must finish first, to be cleaned too; the next one is made from what is left.
    with locked(os.path.join(paths.backups_folder(home), "backup"), _SECONDS):
        leftovers.remove(home)
        slow_patterns.remove(home)
        compiled_lessons.remove(home)
        cleaned = lessons.clean(home, traces, decided, act=True)
        with backup_digests.kept_right(home):
            in_copies = lessons.clean_copies(home, traces, decided, act=True)
            digests, slugs = {**in_copies.digests, **cleaned.digests}, _slugs(home)
            changed = decisions.clean(home, traces, digests, slugs)
            decisions.clean_copies(home, traces, digests, slugs)
        history.delete_rows(home, scope)
    done = _with_lessons(done, cleaned, in_copies, changed)
    if damaged_too:
        for path in done.unreadable:
            os.unlink(path)
    return done


def session_named(home: str, name: str) -> str:
    """Returns the whole id, found by itself or by a beginning that only one session has."""
    known = lines.sessions_in(home) | states.sessions_in(home) | history.known_sessions(home)
    if name in known:
        return name
    if len(name) < _SHORTEST_PREFIX:
        raise Refused(f"The session {name!r} is too short: write at least {_SHORTEST_PREFIX} characters of its id.")
    found = sorted(each for each in known if each.startswith(name))
    if len(found) > 1:
        raise Refused(f"{len(found)} sessions begin with {name!r}: write more of {' or '.join(found[:3])}.")
    if not found and forgotten.read(home).names_session(name):
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
    found = history.survey_rows(home, scope, lessons.quoted_in(home, decided))
    return found, Traces(scope, found.together()), decided


def _slugs(home: str) -> frozenset[str]:
    return frozenset(lesson_file.read(home).names())


def _note(home: str, scope: ForgetScope, deleted: Gone) -> None:
    if not scope.folders:
        forgotten.record(home, session=scope.session, before=scope.before)
    # A work tree elsewhere becomes a separate project once it is deleted from disk.
    worked_in = {folder for folder in deleted.folders if scope.folders and folder and not scope.covers_folder(folder)}
    for folder in (*scope.folders, *sorted(worked_in)):
        forgotten.record(home, project=folder)


def _summary(home: str, traces: Traces, found: Found, act: _Lines, state: states.Cleaned) -> Forgetting:
    """Counts the rows of the history, the lines of the logs and the state; for copies only lists those affected."""
    main, deleted = paths.history_file(home), traces.deleted
    copies = [path for path, gone in found.gone.items() if any(gone.rows.values()) and path != main]
    stored = found.gone.get(main, Gone()).rows
    unfolded = act(lines.injection_files(home), lines.injections_of(traces.scope))
    act(lines.folded_files(home), lines.injections_of(traces.scope))
    rows = {
        **stored,
        "injections": stored.get("injections", 0) + unfolded,
        "log_lines": act(lines.log_files(home), lines.log_lines_of(traces.scope, deleted.files)),
        "state_files": state.files,
    }
    unreadable = found.unreadable + state.unreadable
    return Forgetting(rows, deleted.first, deleted.last, copies, unreadable, state.in_project, [])


def _with_lessons(done: Forgetting, cleaned: lessons.Cleaned, in_copies: lessons.Cleaned, changed: int) -> Forgetting:
    done.rows |= {"examples": cleaned.examples, "decisions": changed}
    done.lessons = cleaned.slugs
    done.unreadable += in_copies.unreadable
    return done
