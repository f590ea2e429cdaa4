"""Decides which state files of a project to delete and which to rewrite, for a scope to forget."""

import os
from collections.abc import Iterator, Sequence

import msgspec

from lessons.session import SessionState
from lessons.store.claims.claim_files import safe_name
from lessons.store.forget.session_times import changed_at, times_of
from lessons.store.forget.traces import Traces
from lessons.store.project_state import documents, files, lines, old_sessions, state_files, warned_files
from lessons.store.project_state.files import Damaged
from lessons.store.project_state.project_root import mark_in
from lessons.store.project_state.state_files import (
    alerts_baseline,
    consolidation,
    context_tracking,
    handoffs,
    review_log,
    session_states,
    work_file,
)
from lessons.store.project_state.state_paths import StatePaths, mark_file, project_id

# Derived from the whole session; the other files only say that it existed.
_DERIVED = (handoffs.name, work_file.name, context_tracking.name)


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
    kept = mark_file(place.own) if mark_in(place.own).get("setUp") is True else ""
    found = [os.path.join(folder, name) for folder, _, names in os.walk(place.own) for name in names]
    return Plan(whole=not kept, deleted=[path for path in found if path != kept and (not kept or not _is_lock(path))])


def _is_lock(path: str) -> bool:
    return path.endswith(".lock")


def _ours(place: StatePaths) -> list[str]:
    """Returns only our files: other programs may have files in a project too."""
    shared = [*state_files.documents_of(place), *state_files.logs_of(place)]
    found = [path for folder in (place.hooks, place.state) for path in _named(folder, shared)]
    names = [file.name for file in state_files.SESSION_FILES]
    return found + [path for folder in files.session_folders(place) for path in _named(folder, names)]


def _named(folder: str, known: Sequence[str]) -> Iterator[str]:
    """Yields files with these names, and their set-aside or half-written versions."""
    names = [os.path.basename(path) for path in known]
    for name in sorted(os.listdir(folder)) if files.is_plain_folder(folder) else ():
        if old_sessions.is_ours(name, names):
            yield f"{folder}/{name}"


def _plan_sessions(place: StatePaths, traces: Traces, plan: Plan) -> None:
    touched = {safe_name(session) for session in traces.touched}
    whole = {safe_name(session) for session in traces.sessions}
    remaining: list[str] = []
    for folder in files.session_folders(place):
        name, old, began_before = os.path.basename(folder), False, False
        if traces.scope.before:
            first, last = times_of(place, folder)
            old, began_before = last < traces.scope.before, first < traces.scope.before
        elif traces.scope.folders and name in touched:
            old = True  # its own project is another one; what it did in both cannot be separated
        if old or (name in whole and not traces.scope.before):
            plan.deleted += _named(folder, [file.name for file in state_files.SESSION_FILES])
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
    state = documents.read(place, path, SessionState)
    if path not in plan.deleted and state and state.previous and state.previous.session_id in traces.sessions:
        raw = msgspec.json.decode(files.read(place, path) or b"{}", type=dict[str, object])
        plan.rewritten[path] = documents.encoded({**raw, "previous": None}, indent=2)


def _content(place: StatePaths, path: str) -> bytes | None:
    try:
        return files.read(place, path)
    except Damaged:
        return None


def _plan_logs(place: StatePaths, traces: Traces, plan: Plan) -> None:
    for log in state_files.LOGS:
        content = _content(place, log.file_of(place)) or b""
        sound = lines.sound_lines(content, log.kind)
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
    warned = warned_files.read(place) or {}
    kept = {name: time for name, time in warned.items() if time >= traces.scope.before}
    if len(kept) < len(warned):
        plan.rewritten[warned_files.file_of(place)] = documents.encoded(dict[str, object](kept), indent=2)
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
        content = file.read(files.MOST_BYTES)
    return any(session.encode() in content for session in traces.touched)


def _files_in(folder: str) -> list[str]:
    names = sorted(os.listdir(folder)) if files.is_plain_folder(folder) else []
    return [path for name in names if os.path.isfile(path := f"{folder}/{name}") and not os.path.islink(path)]
