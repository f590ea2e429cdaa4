"""Finds, deletes and rewrites the state files of projects and sessions that belong to a scope to forget."""

import os
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from datetime import UTC, datetime
from typing import NamedTuple

import msgspec

from lessons import paths
from lessons.project_state import SessionState, time_of
from lessons.store import files, state_files
from lessons.store.claims import safe_name
from lessons.store.files import locked
from lessons.store.forget_lessons import Traces
from lessons.store.state import is_ours
from lessons.store.state_files import (
    Damaged,
    alerts_baseline,
    consolidation,
    context_tracking,
    handoffs,
    read_document,
    read_warned,
    review_log,
    session_folders,
    session_states,
    warned_files,
)
from lessons.store.state_paths import StatePaths, fields_of, mark_file, project_id, text


def places(home: str) -> list[StatePaths]:
    """Returns two entries for a project with its own state: its folder in the data home, and the project.

    The root is empty for state of an earlier version, which did not record it.
    """
    folder = paths.projects_folder(home)
    try:
        names = sorted(os.listdir(folder))
    except (FileNotFoundError, NotADirectoryError):
        return []
    found = []
    for own in (f"{folder}/{name}" for name in names if os.path.isdir(f"{folder}/{name}")):
        root = text(fields_of(mark_file(own)), "root")
        in_home = StatePaths(home, root, in_project=False)
        in_home.own = own
        in_home.place(own)
        found.append(in_home)
        in_project = StatePaths(home, root)
        if root and in_project.own == own and in_project.in_project:
            found.append(in_project)
    return found


class Times(NamedTuple):
    first: str
    last: str


def times_of(place: StatePaths, folder: str) -> Times:
    """Returns the times of the session with this folder; if its files do not say, when the folder was changed."""
    state = read_document(place, f"{folder}/{session_states.name}", session_states.kind)
    tracking = read_document(place, f"{folder}/{context_tracking.name}", context_tracking.kind)
    handoff = read_document(place, f"{folder}/{handoffs.name}", handoffs.kind)
    recorded: list[str | None] = [state.started_at, state.resumed_at, state.ended_at] if state else []
    active = [tracking.first_activity, tracking.last_activity] if tracking else []
    recorded += [time_of(datetime.fromtimestamp(time / 1000, UTC)) for time in active if time]
    recorded += [handoff.timestamp] if handoff else []
    known = sorted(time for time in recorded if time)
    known = known or [changed_at(folder)]
    return Times(known[0], known[-1])


def changed_at(path: str) -> str:
    return time_of(datetime.fromtimestamp(os.lstat(path).st_mtime, UTC))


# Derived from the whole session; the other files only say that it existed.
_DERIVED = (handoffs.name, context_tracking.name, "work.json")


class Plan(msgspec.Struct):
    """What to delete and what to rewrite."""

    whole: bool = False  # the whole project is deleted
    deleted: list[str] = []
    rewritten: dict[str, bytes] = {}
    unreadable: list[str] = []

    @property
    def count(self) -> int:
        """Does not count lock files, which are empty."""
        return len([path for path in self.deleted if not path.endswith(".lock")]) + len(self.rewritten)


def plan_for(place: StatePaths, traces: Traces) -> Plan:
    if _is_of_project(place, traces):
        return _whole_project(place)
    plan = Plan()
    _plan_sessions(place, traces, plan)
    _plan_logs(place, traces, plan)
    _plan_reviews(place, traces, plan)
    _plan_notes(place, traces, plan)
    return plan


def _is_of_project(place: StatePaths, traces: Traces) -> bool:
    if place.root:
        return any(traces.scope.covers_folder(folder) for folder in (place.root, os.path.realpath(place.root)))
    return os.path.basename(place.own) in {project_id(folder) for folder in traces.folders()}


def _whole_project(place: StatePaths) -> Plan:
    if place.in_project:
        return Plan(deleted=_ours(place))
    # Kept: the user decided where the state of a project is.
    kept = mark_file(place.own) if fields_of(mark_file(place.own)).get("setUp") is True else ""
    found = [os.path.join(folder, name) for folder, _, names in os.walk(place.own) for name in names]
    return Plan(whole=not kept, deleted=[path for path in found if path != kept and (not kept or not _is_lock(path))])


def _is_lock(path: str) -> bool:
    return path.endswith(".lock")


def _ours(place: StatePaths) -> list[str]:
    """Returns only our files: other programs may have files in a project too."""
    shared = [*state_files.files_of(place)]
    found = [path for folder in (place.hooks, place.state) for path in _named(folder, shared)]
    return found + [
        path for folder in state_files.session_folders(place) for path in _named(folder, state_files.SESSION_NAMES)
    ]


def _named(folder: str, known: Sequence[str]) -> Iterator[str]:
    """Yields files with these names, and their set-aside or half-written versions."""
    names = [os.path.basename(path) for path in known]
    for name in sorted(os.listdir(folder)) if state_files.is_plain_folder(folder) else ():
        if is_ours(name, names):
            yield f"{folder}/{name}"


def _plan_sessions(place: StatePaths, traces: Traces, plan: Plan) -> None:
    touched = {safe_name(session) for session in traces.touched}
    whole = {safe_name(session) for session in traces.sessions}
    remaining: list[str] = []
    for folder in state_files.session_folders(place):
        name, old, began_before = os.path.basename(folder), False, False
        if traces.scope.before:
            first, last = times_of(place, folder)
            old, began_before = last < traces.scope.before, first < traces.scope.before
        elif traces.scope.folders and name in touched:
            old = True  # its own project is another one; what it did in both cannot be separated
        if old or (name in whole and not traces.scope.before):
            plan.deleted += _named(folder, state_files.SESSION_NAMES)
        elif began_before:
            plan.deleted += _named(folder, _DERIVED)
            remaining.append(folder)
        else:
            remaining.append(folder)
    _plan_latest(place, traces, plan, remaining)


def _plan_latest(place: StatePaths, traces: Traces, plan: Plan, remaining: list[str]) -> None:
    """Plans the project's own documents, which are copies from the session that wrote last."""
    any_gone = bool(plan.deleted) or _names_forgotten(place, traces)
    for file in state_files.SESSION_FILES:
        own = [path for folder in remaining if (path := f"{folder}/{file.name}") not in plan.deleted]
        kept = {_content(place, path) for path in own}
        latest = file.latest_file(place)
        content = _content(place, latest) if latest else None
        if content is not None and content not in kept and (any_gone or _is_old(latest, traces)):
            plan.deleted.append(latest)
        if file is session_states:
            for path in (latest, *own):
                _plan_previous(place, path, traces, plan)


def _is_old(path: str, traces: Traces) -> bool:
    return bool(traces.scope.before) and changed_at(path) < traces.scope.before


def _names_forgotten(place: StatePaths, traces: Traces) -> bool:
    """Whether the session that wrote last is forgotten; its own files may be deleted already."""
    latest = (session_states.read_latest(place), handoffs.read_latest(place))
    return any(each is not None and each.session_id in traces.sessions for each in latest)


def _plan_previous(place: StatePaths, path: str, traces: Traces, plan: Plan) -> None:
    state = state_files.read_document(place, path, SessionState)
    if path not in plan.deleted and state and state.previous and state.previous.session_id in traces.sessions:
        raw = msgspec.json.decode(state_files.read_bytes(place, path) or b"{}", type=dict[str, object])
        plan.rewritten[path] = state_files.encoded({**raw, "previous": None}, indent=2)


def _content(place: StatePaths, path: str) -> bytes | None:
    try:
        return state_files.read_bytes(place, path)
    except Damaged:
        return None


def _plan_logs(place: StatePaths, traces: Traces, plan: Plan) -> None:
    for log in state_files.LOGS:
        content = _content(place, log.file_of(place)) or b""
        sound = state_files.sound_lines(content, log.kind)
        kept = [line.text for line in sound if not _belongs(line.record, traces)]
        if len(kept) < len(sound) and kept:
            plan.rewritten[log.file_of(place)] = b"".join(text + b"\n" for text in kept)
        elif len(kept) < len(sound):
            plan.deleted.append(log.file_of(place))


def _belongs(record: msgspec.Struct, traces: Traces) -> bool:
    session, time = getattr(record, "session_id", None), getattr(record, "timestamp", "") or getattr(record, "date", "")
    if traces.scope.before:
        return bool(time) and time < traces.scope.before
    return session in traces.touched


def _plan_reviews(place: StatePaths, traces: Traces, plan: Plan) -> None:
    """Plans what was made from deleted reviews, and notes from before that time; these files name no session."""
    log, made_of_it = review_log.file_of(place), consolidation.file_of(place)
    if _content(place, made_of_it) is not None and (log in plan.deleted or log in plan.rewritten):
        plan.deleted.append(made_of_it)
    if not traces.scope.before:
        return
    warned = read_warned(place) or {}
    kept = {name: time for name, time in warned.items() if time >= traces.scope.before}
    if len(kept) < len(warned):
        plan.rewritten[warned_files.file_of(place)] = state_files.encoded(dict[str, object](kept), indent=2)
    baseline = alerts_baseline.file_of(place)
    if _content(place, baseline) is not None and _is_old(baseline, traces):
        plan.deleted.append(baseline)


def _plan_notes(place: StatePaths, traces: Traces, plan: Plan) -> None:
    """Plans notes about offers to other sessions, files of earlier tools, and damaged ones."""
    if not place.in_project:
        plan.deleted += _offered(place, traces)
        plan.deleted += [path for path in _files_in(f"{place.own}/deprecated") if _is_forgotten(path, traces)]
    if plan.deleted or plan.rewritten:
        folders = (place.hooks, place.state)
        plan.unreadable += [path for each in folders for path in _files_in(each) if ".damaged-" in path]


def _offered(place: StatePaths, traces: Traces) -> list[str]:
    """Returns the offers, which are named after the session in the line and the beginning of its last request."""
    begins = tuple(safe_name(session + " ").partition(".")[0] for session in traces.touched)
    found = _files_in(f"{place.own}/offered")
    return [path for path in found if os.path.basename(path).startswith(begins) or _is_old(path, traces)]


def _is_forgotten(path: str, traces: Traces) -> bool:
    if traces.scope.before:
        return _is_old(path, traces)
    with open(path, "rb") as file:
        content = file.read(state_files.MOST_BYTES)
    return any(session.encode() in content for session in traces.touched)


def _files_in(folder: str) -> list[str]:
    names = sorted(os.listdir(folder)) if state_files.is_plain_folder(folder) else []
    return [path for name in names if os.path.isfile(path := f"{folder}/{name}") and not os.path.islink(path)]


_SECONDS = 30


class CleanedState(msgspec.Struct):
    """What was deleted, or would be."""

    files: int = 0  # in the data home, deleted or rewritten
    in_project: list[str] = []  # files in a project itself
    unreadable: list[str] = []  # damaged ones, which may belong to any session


def sessions_with_state(home: str) -> set[str]:
    """Returns every session that has left state files."""
    found = (session_states.read_all(place) for place in places(home))
    return {state.session_id for states in found for state in states}


def survey_state(home: str, traces: Traces) -> CleanedState:
    cleaned = CleanedState()
    for place in places(home):
        _count(cleaned, place, plan_for(place, traces))
    return cleaned


def clean_state(home: str, traces: Traces, in_project_too: bool) -> CleanedState:
    """Deletes state files; those in a project itself only if the user agreed."""
    cleaned = CleanedState()
    for place in places(home):
        with _alone(place):
            plan = plan_for(place, traces)
            _count(cleaned, place, plan)
            if in_project_too or not place.in_project:
                _carry_out(place, plan)
    return cleaned


def _count(cleaned: CleanedState, place: StatePaths, plan: Plan) -> None:
    cleaned.unreadable += plan.unreadable
    if place.in_project:
        cleaned.in_project += sorted([*plan.deleted, *plan.rewritten])
    else:
        cleaned.files += plan.count


@contextmanager
def _alone(place: StatePaths) -> Iterator[None]:
    """Prevents sessions from saving meanwhile: one that has already read its work would write it again."""
    names = sorted(name for name in os.listdir(place.own) if name.endswith(".lock"))
    with ExitStack() as stack:
        for name in names:
            stack.enter_context(locked(f"{place.own}/{name.removesuffix('.lock')}", _SECONDS))
        yield


def _carry_out(place: StatePaths, plan: Plan) -> None:
    for path, content in plan.rewritten.items():
        files.write_bytes(path, content)
    folders = [*session_folders(place), place.sessions]
    for path in plan.deleted:
        _delete(path)
    if plan.whole:
        folders = [folder for folder, _, _ in os.walk(place.own, topdown=False)]
    for folder in folders:
        with suppress(OSError):  # it contains something else
            os.rmdir(folder)


def _delete(path: str) -> None:
    try:
        os.unlink(path)
    except FileNotFoundError:
        pass
    except PermissionError:
        if not path.endswith(".lock"):  # Windows cannot delete a lock that is held
            raise
