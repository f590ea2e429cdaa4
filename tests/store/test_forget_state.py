"""The state of sessions: what belongs to a scope goes from every file of it, the sessions beside it stay whole."""

import json
import os
from pathlib import Path

import pytest

from lessons.project_state import AgentInvocation, AutoSave, ContextTracking, Handoff, seconds
from lessons.store import forget_state
from lessons.store.forget_scope import ForgetScope, Traces
from lessons.store.forget_state import clean
from lessons.store.forget_state import sessions_with_state as sessions_in
from lessons.store.history.forget import Gone
from lessons.store.state import begin_session, end_session, set_up_project
from lessons.store.state_files import agent_invocations, auto_save, context_tracking, handoffs, session_states
from lessons.store.state_paths import StatePaths, mark_file
from tests.store.forgettable import files_with

OLD, NEW, RUNNING = ("session-old-1", "session-new-2", "session-running-3")
TIMES = {
    OLD: ("2026-01-01T08:00:00.000Z", "2026-01-01T09:00:00.000Z"),
    NEW: ("2026-03-01T08:00:00.000Z", "2026-03-01T09:00:00.000Z"),
    RUNNING: ("2026-01-31T23:00:00.000Z", "2026-02-02T09:00:00.000Z"),
}
MIDDLE = "2026-02-01T00:00:00.000Z"


def lived(place: StatePaths, session: str) -> None:
    """A session that has left one of everything, with its name in each."""
    first, last = TIMES[session]
    begin_session(place, session, first, 0)
    handoffs.write(place, session, Handoff(session_id=session, last_request=f"asked by {session}", timestamp=last))
    began, ended = (int(1000 * seconds(time)) for time in (first, last))
    tracking = ContextTracking(files_read=[f"read by {session}"], first_activity=began, last_activity=ended)
    context_tracking.write(place, session, tracking)
    auto_save.write(place, session, AutoSave(save_count=len(session)))
    Path(place.session(session), "work.json").write_text(f"of an earlier version: {session}")
    agent_invocations.add(place, [AgentInvocation(timestamp=first, agent="a", prompt=session, session_id=session)])
    offered = Path(place.own) / "offered"
    offered.mkdir(exist_ok=True)
    (offered / f"{session}_asked.0123").touch()
    end_session(place, session, last, "other")


@pytest.fixture
def place(tmp_path: Path) -> StatePaths:
    (tmp_path / "shop" / ".git").mkdir(parents=True)
    place = StatePaths(str(tmp_path / "home"), str(tmp_path / "shop"))
    for session in (OLD, RUNNING, NEW):
        lived(place, session)
    return place


def traces(scope: ForgetScope, **told: set[str]) -> Traces:
    return Traces(scope, Gone(**told))  # type: ignore[arg-type]


def names(place: StatePaths) -> list[str]:
    return sorted(os.path.relpath(path, place.own) for path in Path(place.own).rglob("*") if path.is_file())


# What must stay.


@pytest.mark.parametrize(
    "scope",
    [
        ForgetScope(session="session"),
        ForgetScope(folders=("/elsewhere",)),
        ForgetScope(before="2025-01-01"),
        ForgetScope(folders=("{root}/inside",)),
        ForgetScope(folders=("{root}ping",)),
    ],
)
def test_what_does_not_match_takes_nothing(scope: ForgetScope, place: StatePaths) -> None:
    folders = tuple(folder.format(root=place.root) for folder in scope.folders)
    scope = ForgetScope(scope.session, folders, scope.before)
    before = {name: (Path(place.own) / name).read_bytes() for name in names(place)}
    assert clean(place.home, traces(scope), act=False).files == 0
    assert clean(place.home, traces(scope), act=True, in_project_too=True) == forget_state.CleanedState()
    assert {name: (Path(place.own) / name).read_bytes() for name in names(place)} == before


# What goes.


def test_a_session_leaves_every_file_and_the_others_keep_theirs(place: StatePaths) -> None:
    home = Path(place.home)
    assert sessions_in(place.home) == {OLD, NEW, RUNNING}
    scope = traces(ForgetScope(session=NEW))
    looked = clean(place.home, scope, act=False)
    assert clean(place.home, scope, act=True) == looked
    assert files_with(home, NEW) == {}
    assert not [name for name in names(place) if NEW in name]
    for session in (OLD, RUNNING):
        assert handoffs.read_of(place, session) and context_tracking.read_of(place, session)
    assert [each.session_id for each in agent_invocations.read(place)] == [OLD, RUNNING]
    assert handoffs.read_latest(place) is None, "it was that of the forgotten session"


def test_a_session_that_others_name_as_the_one_before_them(place: StatePaths) -> None:
    clean(place.home, traces(ForgetScope(session=RUNNING)), act=True)
    assert files_with(Path(place.home), RUNNING) == {}
    left = session_states.read_of(place, NEW)
    assert left and left.previous is None and left.session == 3
    latest = handoffs.read_latest(place)
    assert latest and latest.session_id == NEW, "the latest is of another session and stays"


def test_a_time_takes_old_sessions_and_what_was_derived_of_those_that_went_on(place: StatePaths) -> None:
    clean(place.home, traces(ForgetScope(before=MIDDLE)), act=True)
    assert not os.path.exists(place.session(OLD))
    assert handoffs.read_of(place, RUNNING) is None and context_tracking.read_of(place, RUNNING) is None
    assert session_states.read_of(place, RUNNING), "it tells only that there was one"
    assert handoffs.read_of(place, NEW) and context_tracking.read_of(place, NEW)
    assert [each.session_id for each in agent_invocations.read(place)] == [NEW]


def test_a_project_leaves_nothing_not_even_its_name(place: StatePaths) -> None:
    clean(place.home, traces(ForgetScope(folders=(os.path.dirname(place.root),))), act=True)
    assert os.listdir(os.path.dirname(place.own)) == []


def test_a_session_of_another_project_that_worked_there(place: StatePaths) -> None:
    """What it did in which of both cannot be told apart."""
    clean(place.home, traces(ForgetScope(folders=("/elsewhere",)), touched={NEW}), act=True)
    assert handoffs.read_of(place, NEW) is None
    assert handoffs.read_of(place, OLD) is not None


@pytest.mark.parametrize("noted", [True, False])
def test_a_project_by_folders_that_the_history_knows(place: StatePaths, noted: bool) -> None:
    """An earlier version did not write down which project a folder belongs to."""
    if not noted:
        os.unlink(mark_file(place.own))
    above = os.path.dirname(place.root)
    clean(place.home, traces(ForgetScope(folders=(above,)), folders={f"{place.root}/deep/down"}), act=True)
    assert names(place) == []


def test_state_in_the_project_itself(place: StatePaths) -> None:
    inside = set_up_project(place, git_ignore=False).paths
    other = Path(inside.state) / "notes.md"
    other.write_text(NEW)
    scope = traces(ForgetScope(folders=(place.root,)))
    looked = clean(place.home, scope, act=True)
    assert f"{inside.state}/handoff.json" in looked.in_project and str(other) not in looked.in_project
    assert handoffs.read_of(inside, NEW), "nobody agreed to that"
    assert clean(place.home, scope, act=True, in_project_too=True).in_project == looked.in_project
    assert [path for path in Path(place.root, ".claude").rglob("*") if path.is_file()] == [other]
    assert StatePaths(place.home, place.root).in_project, "where its state lies is for the person to decide"
    assert json.loads(Path(mark_file(place.own)).read_text())["setUp"] is True


def test_a_session_in_the_project_itself(place: StatePaths) -> None:
    inside = set_up_project(place, git_ignore=False).paths
    clean(place.home, traces(ForgetScope(session=NEW)), act=True, in_project_too=True)
    assert files_with(Path(place.root), NEW) == {}
    assert handoffs.read_of(inside, OLD)


def test_a_damaged_file_is_named(place: StatePaths) -> None:
    damaged = Path(place.state) / "handoff.json.damaged-20260101T000000Z"
    damaged.write_text("{")
    cleaned = clean(place.home, traces(ForgetScope(session=NEW)), act=True)
    assert cleaned.unreadable == [str(damaged)] and damaged.exists(), "nobody can tell whose it is"
