"""Stored triggers: used while they hold, worked out again when the candidate or the history changed."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from lessons import config
from lessons.candidate import StoredCandidate
from lessons.promote import proposals, queue
from lessons.promote.candidate import Candidate
from lessons.promote.proposals import Family, successes_of
from lessons.promote.queue import prepare, shown
from lessons.promote.review_case import make_ready, waiting
from lessons.scan.run import Options, run
from lessons.store.history.candidates import ProposedTrigger
from lessons.store.history.history import History
from lessons.store.history.past_calls import StoredCall
from tests.builders.days import Did, on_day

WRONG = Did("gh pr diff 7 --stat", "Exit code 1\nunknown flag: --stat")
MISSING = Did("fd total", "Exit code 127\nbash: fd: command not found")
RIGHT = (Did("gh pr diff 7 --name-only"), Did("rg total"))


def learned(tmp_path: Path) -> str:
    """A data home in which two sessions made the same two mistakes."""
    for day in (1, 2):
        on_day(day, WRONG, RIGHT[0], MISSING, RIGHT[1], name=f"day {day}").write(tmp_path / "root")
    run(str(tmp_path / "home"), Options([str(tmp_path / "root")], processes=1))
    return str(tmp_path / "home")


@pytest.fixture
def home(tmp_path: Path) -> str:
    return learned(tmp_path)


@pytest.fixture
def worked_out(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The candidates for which a trigger was worked out."""
    found: list[str] = []
    of = proposals.Proposals.of

    def counted(self: proposals.Proposals, stored: StoredCandidate) -> ProposedTrigger:
        found.append(stored.fingerprint)
        return of(self, stored)

    monkeypatch.setattr(proposals.Proposals, "of", counted)
    return found


def listed(home: str) -> list[Candidate]:
    with History.for_reading(home) as history:
        return shown(history, config.load(home), everything=True).candidates


def change(home: str, sql: str) -> None:
    with closing(sqlite3.connect(f"{home}/history.db")) as connection, connection:
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute(sql)


def test_nothing_is_worked_out_twice(home: str, worked_out: list[str]) -> None:
    first = listed(home)
    assert len(worked_out) == len(first) == 2
    assert listed(home) == first
    assert len(worked_out) == 2


def test_a_scan_works_out_ahead(home: str, worked_out: list[str]) -> None:
    prepare(home, 60.0)
    before = len(worked_out)
    assert before == 2
    assert [each.proposed_trigger for each in listed(home)].count(None) == 0
    assert len(worked_out) == before


def test_a_review_works_out_what_it_shows(home: str, worked_out: list[str]) -> None:
    first, second = waiting(home, config.load(home), everything=True).cases
    assert worked_out == []
    make_ready(home, [second])
    assert worked_out == [second.candidate.fingerprint]
    assert (first.triggers, second.triggers is not None) == (None, True)
    make_ready(home, [first, second])
    assert worked_out[1:] == [first.candidate.fingerprint]
    triggers = {each.fingerprint: each.proposed_trigger for each in listed(home)}
    assert triggers == {each.candidate.fingerprint: each.candidate.proposed_trigger for each in (first, second)}


@pytest.mark.parametrize("outdated", ["version = '0'", "newest_call = -1000"])
def test_worked_out_again(outdated: str, home: str, worked_out: list[str]) -> None:
    first = listed(home)
    change(home, f"UPDATE proposals SET {outdated}")
    assert listed(home) == first
    assert len(worked_out) == 4


def test_new_evidence(tmp_path: Path, worked_out: list[str]) -> None:
    home = learned(tmp_path)
    listed(home)
    on_day(3, WRONG, RIGHT[0], name="day 3").write(tmp_path / "root")
    run(home, Options([str(tmp_path / "root")], processes=1))
    assert sorted(each.session_count for each in listed(home)) == [2, 3]
    assert len(worked_out) == 3


def test_what_is_removed_leaves_nothing(home: str) -> None:
    listed(home)
    change(home, "DELETE FROM candidates")
    with closing(sqlite3.connect(f"{home}/history.db")) as connection:
        assert connection.execute("SELECT count(*) FROM proposals").fetchone() == (0,)


def _mistakes() -> list[Did]:
    """Of two programs in turn, so that the order of the queue mixes them."""
    found = []
    for number, letter in enumerate("abcdefgh"):
        program = ("gh pr diff", "kubectl get")[number % 2]
        wrong = Did(f"{program} {number} --stat{letter}", f"Exit code 1\nunknown flag: --stat{letter}")
        found += [wrong, Did(f"{program} {number}")]
    return found


def test_the_good_calls_of_a_program_are_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for day in (1, 2):
        on_day(day, *_mistakes(), name=f"day {day}").write(tmp_path / "root")
    home = str(tmp_path / "home")
    run(home, Options([str(tmp_path / "root")], processes=1))
    read: list[Family] = []

    def counted(history: History, family: Family) -> list[StoredCall]:
        read.append(family)
        return successes_of(history, family)

    monkeypatch.setattr(proposals, "successes_of", counted)
    with History.for_reading(home) as history:
        everyone = queue.waiting(history, config.load(home))
        assert len(everyone) == 8
        queue.put_triggers(history, [each.candidate for each in everyone])
        assert all(each.candidate.proposed_trigger for each in everyone)
    assert len(read) == len(set(read)) == 2  # those of each program
