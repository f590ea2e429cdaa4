"""Two writers, one of them frozen or killed at any line of our code: files stay whole, nothing that came back is lost.

SIGKILL and SIGSTOP are real, and so are the processes.
"""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lessons.store import faults
from lessons.store.project_state import project_mark, session_state
from lessons.store.project_state.problems import problems_of
from lessons.store.project_state.state_files import auto_save
from lessons.store.project_state.state_paths import StatePaths, state_paths_of
from tests.store.project_state.nursery import Nursery
from tests.store.project_state.writers import DOCUMENTS, KINDS, LINES, Act, keys, perform, project, written

SESSIONS = ("one", "two")
several = settings(max_examples=20, deadline=None)


class Story(NamedTuple):
    """Whose acts they are, as sessions; where the first writer is met, and how it goes on."""

    first: list[str]
    second: list[str]
    share: int  # of the first writer's lines, in thousandths
    kill: bool


sessions = st.lists(st.sampled_from(SESSIONS), min_size=1, max_size=2)
stories = st.builds(Story, sessions, sessions, st.integers(0, 999), st.booleans())


class Outcome(NamedTuple):
    """The acts that came back, by writer, and the one that may have been done all the same."""

    first: list[Act]
    second: list[Act]
    unsure: list[Act]

    def all(self) -> list[Act]:
        return [*self.first, *self.second]


@contextmanager
def folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as name:
        yield Path(name)


Acts = tuple[list[Act], list[Act]]
_lines_of: dict[str, int] = {}


def lines_of(nursery: Nursery, acts: list[Act], before: list[Act]) -> int:
    """How many lines of our code the acts run; the same each time, so it is counted once."""
    name = repr([[act[:2] for act in each] for each in (acts, before)])
    if name not in _lines_of:
        with folder() as root:
            place = project(root)
            for act in before:
                perform(place, act)
            _lines_of[name] = nursery.run((place, acts), (place, []), 0, False).lines
    assert _lines_of[name] > 0
    return _lines_of[name]


def tell(nursery: Nursery, story: Story, places: tuple[StatePaths, StatePaths], acts: Acts, *before: Act) -> Outcome:
    line = 1 + story.share * lines_of(nursery, acts[0], [*before]) // 1000
    for act in before:
        perform(places[0], act)
    ended = nursery.run((places[0], acts[0]), (places[1], acts[1]), line, story.kill)
    assert ended.statuses[1] == 0
    assert ended.statuses[0] == 0 or story.kill
    assert ended.second == len(acts[1])
    return Outcome(acts[0][: ended.first], acts[1], acts[0][ended.first : ended.first + 1])


def acts_of(kind: str, story: Story) -> Acts:
    numbers = count(1)
    return (
        [Act(kind, session, next(numbers)) for session in story.first],
        [Act(kind, session, next(numbers)) for session in story.second],
    )


def check(place: StatePaths, kind: str, outcome: Outcome) -> None:
    for session in SESSIONS:
        assert problems_of(place, session) == []
    assert faults.read(place.home) == []
    if kind in DOCUMENTS:
        check_documents(place, kind, outcome)
    elif kind in LINES:
        check_lines(place, kind, outcome)
    elif kind == "auto-save":
        for session in SESSIONS:
            done, unsure = (sum(act.session == session for act in acts) for acts in (outcome.all(), outcome.unsure))
            assert done <= auto_save.read_or_new(place, session).save_count <= done + unsure
    else:
        check_sessions(place, kind, outcome)


def check_documents(place: StatePaths, kind: str, outcome: Outcome) -> None:
    shared = kind == "tracker"  # one file, whatever the session
    for session in SESSIONS:
        mine = [[act for act in acts if shared or act.session == session] for acts in outcome]
        last = {f"{act.session}-{act.number}" for acts in mine for act in acts[-1:]}
        found = written(place, kind, session)
        assert found in last if mine[0] or mine[1] else found is None or found in last


def check_lines(place: StatePaths, kind: str, outcome: Outcome) -> None:
    done, unsure = (
        {f"{act.session}-{act.number}-{part}" for act in acts for part in "ab"}
        for acts in (outcome.all(), outcome.unsure)
    )
    found = keys(place, kind)
    assert len(found) == len(set(found))
    assert done <= set(found) <= done | unsure


def check_sessions(place: StatePaths, kind: str, outcome: Outcome) -> None:
    states = {session: session_state.read_of(place, session) for session in SESSIONS}
    found = {session: state for session, state in states.items() if state}
    assert {act.session for act in outcome.all()} <= set(found)
    assert sorted(state.session for state in found.values()) == [*range(1, len(found) + 1)]
    assert all((state.ended_at is not None) is (kind == "end") for state in found.values())
    latest = session_state.read_latest(place)
    assert latest.session_id in found if latest else not outcome.all()


@pytest.mark.parametrize("kind", KINDS)
@given(story=stories)
@several
def test_any_file(nursery: Nursery, kind: str, story: Story) -> None:
    with folder() as root:
        place = project(root)
        outcome = tell(nursery, story, (place, place), acts_of(kind, story))
        check(place, kind, outcome)
        # Whatever was left, the next write works.
        again = Act(kind, "one", 99)
        perform(place, again)
        check(place, kind, Outcome(outcome.first, [*outcome.second, again], outcome.unsure))


@given(story=stories, kinds=st.lists(st.sampled_from(KINDS), min_size=2, max_size=2))
@several
def test_files_of_other_kinds_are_left_alone(nursery: Nursery, story: Story, kinds: list[str]) -> None:
    with folder() as root:
        place = project(root)
        acts = acts_of(kinds[0], story)[0], acts_of(kinds[1], story)[1]
        outcome = tell(nursery, story, (place, place), acts)
        alike = {"begin", "end"} >= {*kinds} or kinds[0] == kinds[1]
        if not alike:
            check(place, kinds[0], Outcome(outcome.first, [], outcome.unsure))
            check(place, kinds[1], Outcome([], outcome.second, []))


@given(story=stories, kind=st.sampled_from(KINDS))
@several
def test_two_worktrees_know_nothing_of_each_other(nursery: Nursery, story: Story, kind: str) -> None:
    with folder() as root:
        places = project(root, "shop"), project(root, "shop-of-a-branch")
        outcome = tell(nursery, story, places, acts_of(kind, story))
        check(places[0], kind, Outcome(outcome.first, [], outcome.unsure))
        check(places[1], kind, Outcome([], outcome.second, []))


@given(story=stories, kind=st.sampled_from(KINDS), first=st.booleans())
@several
def test_a_project_is_set_up_meanwhile(nursery: Nursery, story: Story, kind: str, first: bool) -> None:
    """What was acknowledged before and meanwhile is found in the project afterwards."""
    early = Act(kind, "one", 0)
    with folder() as root:
        place = project(root)
        setting_up = [Act("set-up", "", 0)]
        acts = (setting_up, acts_of(kind, story)[1]) if first else (acts_of(kind, story)[0], setting_up)
        outcome = tell(nursery, story, (place, place), acts, early)
        done = Outcome([early, *outcome.first], outcome.second, outcome.unsure)
        done = Outcome(*([act for act in acts if act.kind == kind] for acts in done))
        check(state_paths_of(place.home, place.root), kind, done)
        # Where set-up itself was killed, doing it again finishes it.
        now = project_mark.set_up(state_paths_of(place.home, place.root), git_ignore=True).paths
        assert now.in_project
        check(now, kind, done)
        assert not (Path(place.own) / "state").exists() or story.kill
