"""Handoffs: each session has its own, the project the latest, and all of them are found, the newest first."""

import json
import os
import shutil
import stat
from pathlib import Path

from lessons.session import GitState, Handoff, RanCommand
from lessons.store.project_state import handoff
from lessons.store.project_state.project_mark import set_up
from lessons.store.project_state.state_paths import StatePaths


def save(place: StatePaths, session: str, timestamp: str, **about: str) -> Handoff:
    made = Handoff(session_id=session, timestamp=timestamp, **about)  # type: ignore[arg-type]
    handoff.write(place, made)
    return made


def test_nothing_was_saved(place: StatePaths) -> None:
    assert handoff.read_latest(place) is None
    assert handoff.read_of(place, "one") is None
    assert handoff.all_of(place) == []


def test_each_session_has_its_own(place: StatePaths) -> None:
    first = save(place, "one", "2026-01-02T00:00:00Z", last_request="first")
    second = save(place, "two", "2026-01-01T00:00:00.500+00:00", last_request="second")
    third = save(place, "three", "2026-01-01T00:00:00Z")
    odd = save(place, "odd", "yesterday")
    assert handoff.read_of(place, "one") == first
    assert handoff.read_of(place, "two") == second
    assert handoff.read_latest(place) == odd
    assert handoff.all_of(place) == [first, second, third, odd]


def test_the_latest_counts_where_its_session_is_gone(place: StatePaths) -> None:
    first, second = save(place, "one", "2026-01-01T00:00:00Z"), save(place, "two", "2026-01-02T00:00:00Z")
    shutil.rmtree(place.session("two"))
    assert handoff.all_of(place) == [second, first]


def test_all_fields_of_the_contract_are_there(place: StatePaths) -> None:
    full = Handoff(
        session_id="one",
        git=GitState(branch="main", head="abc", uncommitted=[" M a.py"], uncommitted_count=1),
        worked=[RanCommand(command="make test", exit_code=0)],
        failed=[RanCommand(command="printf '\udcff\\n'", exit_code=2, error="日本\n\x1b[31m")],
    )
    handoff.write(place, full)
    document = json.loads(Path(handoff.latest_file(place)).read_text(encoding="utf-8"))
    seed = ["version", "timestamp", "session", "git", "tasks", "filesRead", "recentCommits", "context"]
    assert [*document][:8] == seed
    assert (document["version"], document["git"]["branch"], document["git"]["head"]) == (2, "main", "abc")
    assert document["worked"] == [{"command": "make test", "exitCode": 0, "error": "", "time": ""}]
    assert document["failed"][0]["command"] == "printf '?\\n'"
    read = handoff.read_of(place, "one")
    assert read is not None and read.failed[0].error == full.failed[0].error


def test_only_the_person_may_read_what_is_in_the_data_home(place: StatePaths) -> None:
    save(place, "one", "2026-01-01T00:00:00Z")
    made = [Path(folder) / name for folder, folders, files in os.walk(place.own) for name in [*folders, *files]]
    modes = {stat.S_IMODE(path.stat().st_mode) for path in made if path.suffix != ".lock"}
    assert modes == {0o700, 0o600}


def test_in_the_project_files_have_the_usual_mode(place: StatePaths) -> None:
    mask = os.umask(0o027)
    try:
        here = set_up(place, git_ignore=False).paths
        save(here, "one", "2026-01-01T00:00:00Z")
    finally:
        os.umask(mask)
    assert stat.S_IMODE(os.stat(handoff.latest_file(here)).st_mode) == 0o640
    assert stat.S_IMODE(os.stat(here.session("one")).st_mode) == 0o750
