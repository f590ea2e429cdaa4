"""Withheld hints in the installed hook: no text, one log line, and nothing changes at rate 0."""

from pathlib import Path

import pytest

from tests.builders.home import DataHome
from tests.builders.lessons import lesson
from tests.builders.payloads import bash


@pytest.fixture
def home(tmp_path: Path) -> DataHome:
    return DataHome(tmp_path)


def decisions(home: DataHome) -> list[str]:
    return [str(line["decision"]) for line in home.log()]


@pytest.mark.parametrize("source", ["index", "manifest", "environment"])
def test_a_withheld_hint_is_logged_once_and_not_shown(home: DataHome, source: str) -> None:
    home.publish(lesson(), **({} if source == "environment" else {"holdoutRate": 1}))
    if source == "manifest":
        (home.folder / "hook-index").unlink()
    variables = {"LESSONS_HOLDOUT_RATE": "1"} if source == "environment" else {}
    for _ in range(2):
        assert home.run(bash("git stash"), **variables) == (0, None)
    assert decisions(home) == ["held-out"]
    assert home.faults() == ""


def test_a_session_keeps_its_side(home: DataHome) -> None:
    home.publish(lesson(), holdoutRate=0.5)
    first = [bool(home.run(bash("git stash", session=f"s{number}"))[1]) for number in range(12)]
    assert 0 < sum(first) < 12
    assert decisions(home).count("held-out") == 12 - sum(first)
