"""The cases of a review are read late: what is gone by then becomes no lesson."""

from pathlib import Path

import pytest

from lessons import config
from lessons.errors import Refused
from lessons.promote import decide
from lessons.promote.candidate import is_gone
from lessons.promote.draft import Choice
from lessons.promote.review_case import Case, make_ready, waiting
from lessons.scan.run import Options, run
from lessons.store import decisions, lesson_file
from lessons.store.history import database
from tests.builders.promotable import write_mistakes


@pytest.fixture
def home(tmp_path: Path) -> str:
    """A history of eight sessions with the same mistake."""
    write_mistakes(tmp_path / "projects")
    home = tmp_path / "data"
    home.mkdir()
    run(str(home), Options([str(tmp_path / "projects")], processes=1))
    return str(home)


def first_case(home: str) -> Case:
    return waiting(home, config.load(home, {}), everything=True).cases[0]


def forget_candidates(home: str) -> None:
    with database.opened(home) as connection, connection:
        connection.execute("DELETE FROM evidence")
        connection.execute("DELETE FROM candidates")


def test_a_candidate_that_has_gone_is_neither_promoted_nor_merged(home: str) -> None:
    case = first_case(home)
    forget_candidates(home)
    make_ready(home, [case])
    assert is_gone(case.candidate) and case.triggers is None
    with pytest.raises(Refused, match="no longer in the history: run `lessons candidates` again"):
        decide.promote(home, case.candidate, Choice(session_start=True))
    with pytest.raises(Refused, match="no longer in the history"):
        decide.merge(home, case.candidate, "any")
    assert not lesson_file.read(home).names()
    assert decisions.read(home) == []


def test_a_near_duplicate_that_has_gone_is_left_out(home: str) -> None:
    case, other = first_case(home), first_case(home).candidate
    make_ready(home, [case])
    other.fingerprint = "fix-0000000000000000"
    decide.promote(home, case.candidate, Choice(), [other])
    assert [each.fingerprint for each in decisions.read(home)] == [case.candidate.fingerprint]


def test_a_case_that_is_ready_has_its_evidence_and_its_trigger(home: str) -> None:
    case = first_case(home)
    assert case.triggers is None
    make_ready(home, [case])
    assert not is_gone(case.candidate) and case.triggers
    assert len(case.candidate.evidence) == case.candidate.occurrence_count == 8
