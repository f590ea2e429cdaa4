"""The user's line at session start: at most one, only at startup, and not again too soon."""

import os
import time
from pathlib import Path

import pytest

from lessons.store import session_start_files
from tests.builders.home import DataHome
from tests.builders.lessons import lesson
from tests.builders.payloads import session_start

LINE = "This week: 3 repeats prevented, 1 false alarm. lessons stats"
WEEK = 7 * 86_400


@pytest.fixture
def home(tmp_path: Path) -> DataHome:
    home = DataHome(tmp_path)
    home.publish(lesson())
    session_start_files.put_person_line(home.path, "weekly", LINE, time.time() + WEEK)
    return home


def message(home: DataHome, source: str = "startup", **variables: str) -> str:
    code, answer = home.run(session_start(source), **variables)
    assert code == 0
    return str((answer or {}).get("systemMessage", ""))


@pytest.mark.parametrize("source", ["resume", "fork", "clear", "compact"])
def test_only_a_new_session_shows_it(home: DataHome, source: str) -> None:
    assert message(home, source) == ""
    assert not (home.folder / "fired" / "line.weekly").exists()


def test_it_can_be_switched_off(home: DataHome) -> None:
    assert message(home, LESSONS_WEEKLY_LINE="off") == ""
    home.publish(lesson(), weeklyLine=False)
    assert message(home) == ""


def test_it_is_for_the_person_alone_and_comes_once_a_week(home: DataHome) -> None:
    home.publish(lesson(triggers={"sessionStart": True}))
    code, answer = home.run(session_start("startup"))
    assert (code, answer["systemMessage"]) == (0, LINE)
    assert LINE not in answer["hookSpecificOutput"]["additionalContext"]
    assert message(home) == ""
    week_ago = time.time() - WEEK
    os.utime(home.folder / "fired" / "line.weekly", (week_ago, week_ago))
    assert message(home) == LINE


def test_a_repeated_mistake_is_announced_only_if_that_is_wanted_and_once_a_day(home: DataHome) -> None:
    said = "The same mistake was made 2 times within a day. lessons candidates mistake-1"
    session_start_files.put_person_line(home.path, "weekly", "", 0)
    session_start_files.put_person_line(home.path, "repeat", said, time.time() + 86_400)
    assert message(home) == ""
    home.publish(lesson(), repeatLine=True)
    assert [message(home), message(home)] == [said, ""]
    day_ago = time.time() - 86_400
    os.utime(home.folder / "fired" / "line.repeat", (day_ago, day_ago))
    assert message(home) == said


def test_a_line_that_no_longer_holds_is_not_shown(home: DataHome) -> None:
    session_start_files.put_person_line(home.path, "weekly", LINE, time.time() - 1)
    assert message(home) == ""


def test_it_is_not_shown_where_that_cannot_be_remembered(home: DataHome) -> None:
    (home.folder / "fired" / "line.weekly").symlink_to("nowhere/at/all")
    assert message(home) == ""
    assert home.faults() == ""


def test_a_damaged_file_changes_nothing_else(home: DataHome) -> None:
    (home.folder / "person-lines.json").write_text("{")
    home.publish(lesson(triggers={"sessionStart": True}))
    code, answer = home.run(session_start("startup"))
    assert code == 0 and answer.keys() == {"hookSpecificOutput"}


def test_one_line_a_session_although_two_wait(home: DataHome) -> None:
    waiting = "What 2 lessons did suggests a change. lessons tend"
    session_start_files.put_person_line(home.path, "tend", waiting, time.time() + WEEK)
    assert [message(home) for _ in range(3)] == [LINE, waiting, ""]


def test_lessons_without_room_are_named_once_a_week(home: DataHome) -> None:
    records = [
        lesson(f"start-{number}", priority=number, triggers={"sessionStart": True}, injection=f"{number} " * 700)
        for number in range(1, 9)
    ]
    home.publish(*records, injectionBudgetBytes=1500)
    named = message(home)
    assert named.startswith("lessons: ") and "start-1" in named and "start-8" not in named
    assert [message(home), message(home)] == [LINE, ""], "other lines wait for another session"


def test_eight_lessons_for_session_starts_are_all_shown(home: DataHome) -> None:
    records = [
        lesson(f"start-{number}", triggers={"sessionStart": True}, injection=f"Eight: {number}.") for number in range(8)
    ]
    home.publish(*records)
    _, answer = home.run(session_start("startup"))
    context = answer["hookSpecificOutput"]["additionalContext"]
    assert [number for number in range(8) if f"Eight: {number}." in context] == list(range(8))
    assert answer["systemMessage"] == LINE
