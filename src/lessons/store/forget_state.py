"""Finds, deletes and rewrites the state files of projects and sessions that belong to a scope to forget."""

import os
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from datetime import UTC, datetime

import msgspec

from lessons import paths
from lessons.project_state import SessionState, time_of
from lessons.store import files, state_files
from lessons.store.claims import safe_name
from lessons.store.files import locked
from lessons.store.forget_scope import Traces
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
from lessons.store.state_paths import StatePaths, fields_of, is_plain_folder, mark_file, project_id, text

# Derived from the whole session; the other files only say that it existed.
_DERIVED = (handoffs.name, context_tracking.name, "work.json")
_SECONDS = 30


class CleanedState(msgspec.Struct):
    files: int = 0  # in the data home, deleted or rewritten
    in_project: list[str] = []  # files in a project itself
    unreadable: list[str] = []  # damaged ones, which may belong to any session


def clean(home: str, traces: Traces, act: bool, in_project_too: bool = False) -> CleanedState:
    """Deletes state files, if `act`; those in a project itself only if the user agreed."""
    cleaned = CleanedState()
    for place in places(home):
        with ExitStack() as held:
            # A session that has already read its work would write it again.
            for name in _names_in(place.own) if act else ():
                if name.endswith(".lock"):
                    held.enter_context(locked(f"{place.own}/{name.removesuffix('.lock')}", _SECONDS))
            changes = _Changes(place, traces)
            if place.in_project:
                cleaned.in_project += sorted(changes.contents)
            else:
                # Lock files are empty.
                cleaned.files += sum(1 for path in changes.contents if not path.endswith(".lock"))
            cleaned.unreadable += changes.unreadable()
            if act and (in_project_too or not place.in_project):
                changes.carry_out()
    return cleaned


def places(home: str) -> list[StatePaths]:
    """Returns two entries for a project with its own state: its folder in the data home, and the project."""
    folder = paths.projects_folder(home)
    found = []
    for own in (f"{folder}/{name}" for name in _names_in(folder)):
        root = text(fields_of(mark_file(own)), "root")  # empty if the mark is damaged
        in_home = StatePaths(home, root, in_project=False)
        in_home.own = own
        in_home.place(own)
        found.append(in_home)
        in_project = StatePaths(home, root)
        if root and in_project.own == own and in_project.in_project:
            found.append(in_project)
    return found


def sessions_with_state(home: str) -> set[str]:
    return {state.session_id for place in places(home) for state in session_states.read_all(place)}


class _Changes:
    def __init__(self, place: StatePaths, traces: Traces) -> None:
        self._place, self._traces, self._scope = place, traces, traces.scope
        self.contents: dict[str, bytes | None] = {}  # the new content by path; None deletes the file
        self._whole = False
        if self._is_of_project():
            self._take_project()
        else:
            self._take_sessions()
            self._take_lines()
            self._take_notes()

    def _delete(self, paths: list[str]) -> None:
        self.contents |= dict.fromkeys(paths)

    def unreadable(self) -> list[str]:
        """Returns damaged files, if anything else of the place changes: they may belong to it."""
        folders = (self._place.hooks, self._place.state) if self.contents and not self._is_of_project() else ()
        return [path for folder in folders for path in _files_in(folder) if ".damaged-" in path]

    def carry_out(self) -> None:
        for path, content in self.contents.items():
            if content is not None:
                files.write_bytes(path, content)
                continue
            try:
                os.unlink(path)
            except FileNotFoundError:
                pass
            except PermissionError:
                if not path.endswith(".lock"):  # Windows cannot delete a lock that is held
                    raise
        folders = [*session_folders(self._place), self._place.sessions]
        if self._whole:
            folders = [folder for folder, _, _ in os.walk(self._place.own, topdown=False)]
        for folder in folders:
            with suppress(OSError):  # it contains something else
                os.rmdir(folder)

    # A project.

    def _is_of_project(self) -> bool:
        root = self._place.root
        if root:
            return any(self._scope.covers_folder(folder) for folder in (root, os.path.realpath(root)))
        return os.path.basename(self._place.own) in {project_id(folder) for folder in self._traces.folders()}

    def _take_project(self) -> None:
        """Takes only our files: other programs may have files in a project too."""
        place, mark = self._place, mark_file(self._place.own)
        if place.in_project:
            shared = [os.path.basename(path) for path in state_files.files_of(place)]
            self._delete(_ours(place.hooks, shared) + _ours(place.state, shared))
            for folder in session_folders(place):
                self._delete(_ours(folder, state_files.SESSION_NAMES))
            return
        found = [os.path.join(folder, name) for folder, _, names in os.walk(place.own) for name in names]
        # The user decided where the state of a project is: that stays.
        self._whole = fields_of(mark).get("setUp") is not True
        self._delete([path for path in found if self._whole or (path != mark and not path.endswith(".lock"))])

    # Sessions.

    def _take_sessions(self) -> None:
        # Of a session that also worked in another project, nobody can tell which part belongs where.
        chosen = self._traces.touched if self._scope.folders else self._traces.sessions
        chosen_names = {safe_name(session) for session in chosen}
        remaining: list[str] = []
        for folder in session_folders(self._place):
            name = os.path.basename(folder)
            first, last = self._times_of(folder) if self._scope.before else ("", "")
            if last < self._scope.before or (name in chosen_names and not self._scope.before):
                self._delete(_ours(folder, state_files.SESSION_NAMES))
                continue
            if first < self._scope.before:
                self._delete(_ours(folder, _DERIVED))
            remaining.append(folder)
        self._take_latest(remaining)

    def _take_latest(self, remaining: list[str]) -> None:
        """Takes the project's own documents, which are copies from the session that wrote last."""
        latest = (session_states.read_latest(self._place), handoffs.read_latest(self._place))
        # The files of the session itself may be deleted already.
        any_gone = bool(self.contents) or any(each and each.session_id in self._traces.sessions for each in latest)
        for file in state_files.SESSION_FILES:
            own = [path for folder in remaining if (path := f"{folder}/{file.name}") not in self.contents]
            path = file.file_of(self._place)
            content = self._content(path)
            is_copy = content in [self._content(each) for each in own]
            if content is not None and not is_copy and (any_gone or self._is_old(path)):
                self.contents[path] = None
            if file is session_states:
                for each in (path, *own):
                    self._take_previous(each)

    def _take_previous(self, path: str) -> None:
        state = read_document(self._place, path, SessionState) if path not in self.contents else None
        if state and state.previous and state.previous.session_id in self._traces.sessions:
            state.previous = None
            self.contents[path] = state_files.encoded(state_files.as_document(state), indent=2)

    def _times_of(self, folder: str) -> tuple[str, str]:
        """Returns when a session began and was last active; if its files do not say, when the folder was changed."""
        state = read_document(self._place, f"{folder}/{session_states.name}", session_states.kind)
        tracking = read_document(self._place, f"{folder}/{context_tracking.name}", context_tracking.kind)
        handoff = read_document(self._place, f"{folder}/{handoffs.name}", handoffs.kind)
        found: list[str | None] = [state.started_at, state.resumed_at, state.ended_at] if state else []
        active = [tracking.first_activity, tracking.last_activity] if tracking else []
        found += [time_of(datetime.fromtimestamp(time / 1000, UTC)) for time in active if time]
        found += [handoff.timestamp] if handoff else []
        times = sorted(time for time in found if time) or [_changed_at(folder)]
        return times[0], times[-1]

    # Files that the sessions share.

    def _take_lines(self) -> None:
        for log in state_files.LOGS:
            path = log.file_of(self._place)
            lines = state_files.sound_lines(self._content(path) or b"", log.kind)
            kept = [line.text for line in lines if not self._belongs(line.record)]
            if len(kept) < len(lines):
                self.contents[path] = b"".join(text + b"\n" for text in kept) or None
        made_of_reviews = consolidation.file_of(self._place)
        if review_log.file_of(self._place) in self.contents and self._content(made_of_reviews) is not None:
            self.contents[made_of_reviews] = None

    def _belongs(self, record: msgspec.Struct) -> bool:
        time = getattr(record, "timestamp", "") or getattr(record, "date", "")
        if self._scope.before:
            return bool(time) and time < self._scope.before
        return getattr(record, "session_id", None) in self._traces.touched

    def _take_notes(self) -> None:
        """Takes old notes about warnings and alerts, and offers, which are named after the session in the line."""
        warned = read_warned(self._place) or {}
        kept = {name: time for name, time in warned.items() if time >= self._scope.before}
        if len(kept) < len(warned):
            path = warned_files.file_of(self._place)
            self.contents[path] = state_files.encoded({**kept}, indent=2)
        baseline = alerts_baseline.file_of(self._place)
        if self._content(baseline) is not None and self._is_old(baseline):
            self.contents[baseline] = None
        if self._place.in_project:
            return
        begins = tuple(safe_name(session + " ").partition(".")[0] for session in self._traces.touched)
        offers = _files_in(f"{self._place.own}/offered")
        self._delete([path for path in offers if os.path.basename(path).startswith(begins) or self._is_old(path)])

    def _is_old(self, path: str) -> bool:
        return bool(self._scope.before) and _changed_at(path) < self._scope.before

    def _content(self, path: str) -> bytes | None:
        with suppress(Damaged):
            return state_files.read_bytes(self._place, path)
        return None


def _changed_at(path: str) -> str:
    return time_of(datetime.fromtimestamp(os.lstat(path).st_mtime, UTC))


def _ours(folder: str, names: Sequence[str]) -> list[str]:
    """Returns the files with these names, and their set-aside or half-written versions."""
    return [f"{folder}/{name}" for name in _names_in(folder) if is_ours(name, names)]


def _names_in(folder: str) -> list[str]:
    return sorted(os.listdir(folder)) if is_plain_folder(folder) else []


def _files_in(folder: str) -> list[str]:
    paths = (f"{folder}/{name}" for name in _names_in(folder))
    return [path for path in paths if os.path.isfile(path) and not os.path.islink(path)]
