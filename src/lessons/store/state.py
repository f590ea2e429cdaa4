"""What happens to the state of a project: sessions start, end and get old, and `lessons init --project` moves it."""

import json
import os
from collections.abc import Sequence
from contextlib import suppress
from typing import NamedTuple

from msgspec.structs import replace

from lessons.errors import Refused
from lessons.project_state import PreviousSession, SessionState, seconds
from lessons.store import files
from lessons.store.state_files import (
    LOGS,
    SESSION_NAMES,
    Damaged,
    files_of,
    locked_state,
    problem_in,
    put_bytes,
    read_bytes,
    session_folders,
    session_states,
    sound_lines,
)
from lessons.store.state_paths import StatePaths, fields_of, is_plain_folder, mark_file
from lessons.system import is_alive

_OLD_SECONDS = 60 * 24 * 3600
# Must not be committed.
IGNORED = (
    ".claude/hooks/.*",
    ".claude/state/.*",
    ".claude/state/handoff.json",
    ".claude/state/commit-log.jsonl",
    ".claude/state/agent-invocations.jsonl",
    ".claude/state/consolidation.json",
    ".claude/state/warned-files.json",
    ".claude/state/alerts-baseline.json",
    ".claude/state/pending-reviews.json",
    ".claude/state/sessions/",
    ".claude/state/*.damaged-*",
)
_HEADING = "# What coding sessions leave behind, written by `lessons`"


# A session starts and ends.


def begin_session(
    paths: StatePaths, session_id: str, started_at: str, process: int, agent: str = "claude-code"
) -> SessionState:
    """Gives a new session the next number; a session that was here before keeps its own and runs again."""
    with locked_state(paths) as here:
        known = session_states.read_of(here, session_id)
        state = _again(known, started_at, process) if known else _new(here, session_id, started_at, process)
        state.agent = known.agent if known else agent
        session_states.put_of(here, session_id, state)
        return state


def end_session(paths: StatePaths, session_id: str, ended_at: str, reason: str) -> SessionState:
    """Records the end, even before the start is recorded: both are written in the background, in any order."""
    with locked_state(paths) as here:
        known = session_states.read_of(here, session_id)
        if known and seconds(known.resumed_at or known.started_at) > seconds(ended_at):
            return known  # it has started again since
        state = known or _new(here, session_id, ended_at, 0)
        state = replace(state, ended_at=ended_at, end_reason=reason)
        latest = session_states.read_latest(here)
        # Another session that started since stays the latest.
        is_latest = latest is None or known is None or _is(latest, session_id)
        session_states.put_of(here, session_id, state, is_latest)
        return state


def _new(paths: StatePaths, session_id: str, started_at: str, process: int) -> SessionState:
    others = [state for state in session_states.read_all(paths) if not _is(state, session_id)]
    latest = session_states.read_latest(paths)
    if latest is None or _is(latest, session_id):
        latest = max(others, key=_number, default=None)
    number = 1 + max(map(_number, [*others, *([latest] if latest else [])]), default=0)
    state = SessionState(session_id=session_id, started_at=started_at, session=number, process=process)
    if latest:
        # An unknown process cannot be checked.
        unclean = latest.ended_at is None and latest.process > 0 and not is_alive(latest.process)
        state.previous = PreviousSession(
            session_id=latest.session_id, started_at=latest.started_at, session=latest.session, unclean_end=unclean
        )
    return state


def _again(known: SessionState, started_at: str, process: int) -> SessionState:
    began = seconds(started_at)
    if 0 < began < seconds(known.started_at):
        # The first record was its end, a look at its work, or, if a process is known, that it was resumed.
        resumed_at = known.resumed_at or (known.started_at if known.process else None)
        return replace(known, started_at=started_at, resumed_at=resumed_at, process=known.process or process)
    if began < seconds(known.resumed_at or known.started_at):
        return known
    state = replace(known, process=process or known.process)
    if began > seconds(known.started_at):
        state.resumed_at = started_at
    if known.ended_at is not None and began > seconds(known.ended_at):
        state = replace(state, ended_at=None, end_reason=None)
    return state


def _is(state: SessionState, session_id: str) -> bool:
    """Compares ids as the file spells them, without half surrogate pairs."""
    return state.session_id.encode() == session_id.encode("utf-8", "replace")


# What nobody needs any more.


def remove_old_sessions(paths: StatePaths, now: float) -> int:
    """Removes sessions that were not used for 60 days, and only our files of them; returns how many."""
    removed = 0
    with locked_state(paths) as here:
        states = [*session_states.read_all(here), *filter(None, [session_states.read_latest(here)])]
        # Stay: the latest, and the highest number, because the next session continues from there.
        kept = {here.session(each.session_id) for each in (*states[-1:], *sorted(states, key=_number)[-1:])}
        for folder in session_folders(here):
            with suppress(OSError):  # a session is using it, or it has other files
                files = [f"{folder}/{name}" for name in os.listdir(folder)]
                newest = max(os.lstat(path).st_mtime for path in (folder, *files))
                if folder in kept or now - newest < _OLD_SECONDS:
                    continue
                for path in files:
                    if is_ours(os.path.basename(path), SESSION_NAMES):
                        os.unlink(path)
                os.rmdir(folder)
                removed += 1
    return removed


def _number(state: SessionState) -> int:
    return state.session


def is_ours(name: str, known: Sequence[str]) -> bool:
    """Whether it is one of the known names, or a set-aside or half-written version of such a file."""
    half_written = name.endswith(".tmp") and any(name.startswith(f".{each}.") for each in known)
    return name.partition(".damaged-")[0] in known or half_written


def problems_of(paths: StatePaths, session_id: str | None = None) -> list[str]:
    """Returns what is wrong with the files of the project and of one session, one sentence each."""
    folders = [paths.session(session_id)] if session_id is not None else []
    found = {path: problem_in(paths, path, kind) for path, kind in files_of(paths, folders).items()}
    problems = [f"{path} {problem}." for path, problem in found.items() if problem]
    base = paths.root.rstrip("/") + "/.claude"
    wrong = [path for path in (base, f"{base}/hooks", f"{base}/state") if not is_plain_folder(path)]
    mark = fields_of(mark_file(paths.own))
    if wrong and mark.get("setUp") is True and mark.get("root") == paths.root:
        what = "is a link" if os.path.islink(wrong[0]) else "is no folder"
        remedy = "put a plain folder there or run `lessons init --project` again"
        problems.insert(0, f"{wrong[0]} {what}, so the state of this project is kept in {paths.own}: {remedy}.")
    return problems


# `lessons init --project`: from then on the state of a project is stored in its own folder `.claude`.


class SetUp(NamedTuple):
    """What was done, and the present locations."""

    paths: StatePaths
    already: bool  # it was set up before
    moved: list[str]  # files that were in the data home
    ignored: list[str]  # lines added to .gitignore


def set_up_project(paths: StatePaths, git_ignore: bool) -> SetUp:
    """Safe to run again; also finishes what a killed run left."""
    target, source = (StatePaths(paths.home, paths.root, in_project) for in_project in (True, False))
    ignore_file = paths.root.rstrip("/") + "/.gitignore"
    if os.path.realpath(paths.root) in (os.path.realpath(os.path.expanduser("~")), os.path.realpath("/")):
        raise Refused(f"{paths.root} is no project: go to the folder of one and run it there.")
    for path in (os.path.dirname(target.hooks), target.hooks, target.state):
        if os.path.lexists(path) and not is_plain_folder(path):
            what = "a link" if os.path.islink(path) else "no folder"
            raise Refused(f"{path} is {what}, and state is only kept in plain folders of the project: put one there.")
    if git_ignore and os.path.lexists(ignore_file) and (os.path.islink(ignore_file) or not os.path.isfile(ignore_file)):
        raise Refused(f"{ignore_file} is not a regular file, and git reads no other: put one there.")
    with locked_state(paths) as here:
        for folder in (target.hooks, target.state):
            os.makedirs(folder, exist_ok=True)
        ignored = add_ignored(ignore_file) if git_ignore else []
        # The mark is written between copying and removing: after a kill at any point, the state is where the mark says.
        copied = _copy_all(source, target)
        mark = {**fields_of(mark_file(paths.own)), "root": paths.root, "setUp": True}
        files.write_text(mark_file(paths.own), json.dumps(mark) + "\n")
        for path in copied:
            os.unlink(path)
        for folder in [*session_folders(source), source.sessions, source.hooks, source.state]:
            with suppress(OSError):  # it contains something else
                os.rmdir(folder)
        return SetUp(StatePaths(paths.home, paths.root), here.in_project, copied, ignored)


def _copy_all(source: StatePaths, target: StatePaths) -> list[str]:
    """Copies documents that are newer than those in the project, and adds the lines of logs; returns their paths."""
    copied = []
    logs = {log.file_of(source): log for log in LOGS}
    for path in files_of(source, session_folders(source)):
        with suppress(Damaged):
            content = read_bytes(source, path)
            if content is None:
                continue
            to = path.replace(source.hooks, target.hooks, 1).replace(source.state, target.state, 1)
            if path in logs:
                logs[path].put_lines(target, sound_lines(content, logs[path].kind))
            elif not os.path.lexists(to) or os.lstat(to).st_mtime_ns < os.lstat(path).st_mtime_ns:
                put_bytes(target, to, content)
            copied.append(path)
    return copied


def add_ignored(ignore_file: str) -> list[str]:
    """Returns the lines that were missing in a `.gitignore`; the rest of the file stays unchanged."""
    content = b""
    with suppress(FileNotFoundError), open(ignore_file, "rb") as file:
        content = file.read()
    there = {line.strip() for line in content.splitlines()}
    missing = [line for line in IGNORED if line.encode() not in there]
    if missing:
        heading = [] if _HEADING.encode() in there else ["", _HEADING] if content else [_HEADING]
        end = "\r\n" if b"\r\n" in content else "\n"
        torn = end if content and not content.endswith(b"\n") else ""
        added = torn + "".join(line + end for line in [*heading, *missing])
        files.write_bytes(ignore_file, content + added.encode(), 0o644)
    return missing
