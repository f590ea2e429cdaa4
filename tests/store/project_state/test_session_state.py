"""Sessions are counted once each, in any order of what the background writes; the end of the one before is noticed."""

import os
from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from lessons.session import SessionState
from lessons.store.project_state import handoff, session_state
from lessons.store.project_state.problems import problems_of
from lessons.store.project_state.state_files import auto_save, context_tracking, work_file
from lessons.store.project_state.state_paths import StatePaths
from tests.sizes import examples
from tests.store.project_state.writers import Act, moment, perform, project

ODD = {
    "a path": "../../../etc/passwd",
    "absolute": "/etc/passwd",
    "empty": "",
    "dots": "..",
    "very long": "x" * 5000,
    "very long and odd": "é/" * 5000,
    "unicode": "日本語 \U0001f600",
    "half a character": "\ud800",
    "zero": "a\0b",
    "windows": "C:\\con",
}


def begin(place: StatePaths, session: str, number: int = 0, process: int = 7, alive: bool = True) -> SessionState:
    return session_state.begin(place, session, moment(number), process, lambda process: alive)


def test_nothing_is_known_at_first(place: StatePaths) -> None:
    assert session_state.read_latest(place) is None
    assert session_state.read_of(place, "one") is None
    assert handoff.all_of(place) == []
    assert problems_of(place, "one") == []
    assert not os.path.exists(place.own)


def test_a_session_that_begins_again_is_not_counted_again(place: StatePaths) -> None:
    first = begin(place, "one", 1)
    assert begin(place, "one", 1) == first
    assert begin(place, "one", 2) == replace(first, resumed_at=moment(2))
    second = begin(place, "two", 3)
    assert (first.session, second.session) == (1, 2)
    assert first.previous is None
    assert second.previous is not None and second.previous.session_id == "one"
    # Resumed, it is the latest again; the next new one counts on from the highest all the same.
    assert begin(place, "one", 4, process=9).process == 9
    assert session_state.read_latest(place) == session_state.read_of(place, "one")
    third = begin(place, "three", 5)
    assert third.session == 3
    assert third.previous is not None and third.previous.session_id == "one"


@pytest.mark.parametrize("ended", [True, False])
@pytest.mark.parametrize("alive", [True, False])
@pytest.mark.parametrize("process", [0, 7])
def test_an_unclean_end_is_one_without_a_word_whose_process_is_gone(
    place: StatePaths, ended: bool, alive: bool, process: int
) -> None:
    begin(place, "one", 1, process)
    if ended:
        session_state.end(place, "one", moment(2), "prompt_input_exit")
    previous = begin(place, "two", 3, alive=alive).previous
    assert previous is not None
    assert previous.unclean_end is (not ended and not alive and process == 7)


def test_an_end_is_noted_and_a_resumed_session_has_none(place: StatePaths) -> None:
    begin(place, "one", 1)
    ended = session_state.end(place, "one", moment(2), "clear")
    assert (ended.ended_at, ended.end_reason) == (moment(2), "clear")
    assert session_state.read_latest(place) == ended
    assert begin(place, "one", 3).ended_at is None


@pytest.mark.parametrize("order", [*permutations(["begins", "ends", "resumes"])])
def test_one_that_is_resumed_in_the_same_second_runs(place: StatePaths, order: tuple[str, ...]) -> None:
    """In whatever order the background comes to write it down."""
    for each in order:
        if each == "ends":
            session_state.end(place, "one", "2026-01-01T00:00:10.200Z", "other")
        else:
            at, process = ("10.100", 5) if each == "begins" else ("10.300", 6)
            session_state.begin(place, "one", f"2026-01-01T00:00:{at}Z", process, lambda process: True)
    state = session_state.read_of(place, "one")
    assert state is not None
    assert (state.ended_at, state.process, state.session) == (None, 6, 1)
    assert state.started_at == "2026-01-01T00:00:10.100Z"


def test_the_end_of_another_session_leaves_the_latest_alone(place: StatePaths) -> None:
    begin(place, "one", 1)
    second = begin(place, "two", 2)
    session_state.end(place, "one", moment(3), "other")
    assert session_state.read_latest(place) == second


@pytest.mark.parametrize("order", [*permutations(["one-begins", "one-ends", "one-begins"])])
def test_beginning_and_end_of_a_short_session_come_in_any_order(place: StatePaths, order: tuple[str, ...]) -> None:
    begin(place, "zero", 0, process=5)
    for each in order:
        if each == "one-begins":
            begin(place, "one", 10, alive=False)
        else:
            session_state.end(place, "one", "2026-01-01T00:00:10.500Z", "other")
    state = session_state.read_of(place, "one")
    assert state is not None and state.previous is not None
    assert (state.session, state.started_at, state.end_reason, state.process) == (2, moment(10), "other", 7)
    assert state.previous.unclean_end


def test_a_lost_latest_is_made_up_for_by_the_sessions_own(place: StatePaths) -> None:
    for number, name in enumerate(("one", "two"), 1):
        begin(place, name, number)
    Path(session_state.latest_file(place)).write_text("{")
    third = begin(place, "three", 3)
    assert third.session == 3
    assert third.previous is not None and third.previous.session_id == "two"


def test_fields_that_are_not_known_are_kept(place: StatePaths) -> None:
    begin(place, "one")
    path = Path(session_state.own_file(place, "one"))
    path.write_text(path.read_text().replace("{", '{"later": {"a": [1]}, ', 1))
    session_state.end(place, "one", moment(1), "other")
    assert '"later": {' in path.read_text()
    assert session_state.read_of(place, "one") == session_state.read_latest(place)


@pytest.mark.parametrize("name", ODD)
def test_any_session_id_stays_in_its_folder(place: StatePaths, tmp_path: Path, name: str) -> None:
    session = ODD[name]
    begin(place, "one")
    before = {path for path in tmp_path.rglob("*") if not path.is_relative_to(place.own)}
    for kind in ("begin", "context", "handoff", "work", "auto-save"):
        perform(place, Act(kind, session, 1))
        perform(place, Act(kind, session, 1))
    assert {path for path in tmp_path.rglob("*") if not path.is_relative_to(place.own)} == before
    assert len(os.listdir(place.state + "/sessions")) == 2
    state = session_state.read_of(place, session)
    assert state is not None and state.session == 2
    assert begin(place, "next").session == 3
    session_state.end(place, session, moment(1), "other")
    assert auto_save.read_or_new(place, session).save_count == 2
    assert problems_of(place, session) == []


@given(ids=st.lists(st.text(max_size=60), min_size=2, max_size=4, unique=True))
@settings(deadline=None, max_examples=examples(30))
def test_sessions_never_meet(tmp_path_factory: pytest.TempPathFactory, ids: list[str]) -> None:
    place = project(tmp_path_factory.mktemp("sessions"))
    for number, session in enumerate(ids):
        perform(place, Act("work", session, number))
        perform(place, Act("context", session, number))
    for number, session in enumerate(ids):
        assert work_file.read_or_new(place, session).offset == number
        assert context_tracking.read_or_new(place, session).files_read[0].endswith(f"-{number}")
