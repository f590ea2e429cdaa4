"""Finds, deletes and rewrites state files of projects and sessions that belong to a scope to forget."""

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress

import msgspec

from lessons.store import atomic
from lessons.store.forget.places import places
from lessons.store.forget.state_plan import Plan, plan_for
from lessons.store.forget.traces import Traces
from lessons.store.lock import locked
from lessons.store.project_state.files import session_folders, sessions_folder
from lessons.store.project_state.state_files import session_states
from lessons.store.project_state.state_paths import StatePaths

_SECONDS = 30


class Cleaned(msgspec.Struct):
    """What was deleted, or would be."""

    files: int = 0  # in the data home, deleted or rewritten
    in_project: list[str] = []  # files in a project itself
    unreadable: list[str] = []  # damaged ones, which may belong to any session


def sessions_in(home: str) -> set[str]:
    """Returns every session that has left state files."""
    found = (session_states.read_all(place) for place in places(home))
    return {state.session_id for states in found for state in states}


def survey(home: str, traces: Traces) -> Cleaned:
    cleaned = Cleaned()
    for place in places(home):
        _count(cleaned, place, plan_for(place, traces))
    return cleaned


def clean(home: str, traces: Traces, in_project_too: bool) -> Cleaned:
    """Deletes state files; those in a project itself only if the user agreed."""
    cleaned = Cleaned()
    for place in places(home):
        with _alone(place):
            plan = plan_for(place, traces)
            _count(cleaned, place, plan)
            if in_project_too or not place.in_project:
                _carry_out(place, plan)
    return cleaned


def _count(cleaned: Cleaned, place: StatePaths, plan: Plan) -> None:
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
        atomic.write_bytes(path, content)
    folders = [*session_folders(place), sessions_folder(place)]
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
