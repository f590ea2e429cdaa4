"""What a scan stores for the user about the week."""

from datetime import timedelta
from pathlib import Path

import pytest

from lessons.prove.stats import Tally
from lessons.prove.tend import put_tend_line
from lessons.prove.update import put_weekly_line, weekly_line
from lessons.store import session_start_files
from lessons.store.history.history import History
from tests.builders.months import MONDAY, Months
from tests.tables import table

WEEKS = 9
END = (MONDAY + timedelta(weeks=WEEKS)).timestamp()
WEEK = 7 * 86_400


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> str:
    return Months(tmp_path_factory.mktemp("weeks"), weeks=WEEKS).fill().path


def line_at(home: str, now: float) -> str:
    with History.opened(home) as history:
        put_weekly_line(history, now)
    lines = session_start_files.read_person_lines(home)
    assert all(line.until == now + WEEK for line in lines.values())
    return lines["weekly"].text if lines else ""


def test_the_last_seven_days_are_counted(home: str) -> None:
    assert line_at(home, END) == "This week: 5 repeats prevented, 0 false alarms. lessons stats"
    assert line_at(home, END + WEEK) == "", "nothing happened since"
    assert line_at(home, MONDAY.timestamp()) != "", "what lies in the future by this clock is not lost"


def test_switched_off_there_is_none(home: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LESSONS_WEEKLY_LINE", "off")
    assert line_at(home, END) == ""


def test_a_fault_does_not_stop_the_scan(home: str) -> None:
    path = Path(home) / "person-lines.json"
    path.unlink(missing_ok=True)
    path.mkdir()
    with History.opened(home) as history:
        put_weekly_line(history, END)
    assert "weekly line" in (Path(home) / "faults.log").read_text()
    path.rmdir()


def test_a_bug_in_the_lines_for_the_person_does_not_stop_the_scan(home: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lessons.prove.update.weekly_line", lambda week: 1 // 0)
    monkeypatch.setattr("lessons.prove.tend.next_step", lambda facts: 1 // 0)
    with History.opened(home) as history:
        put_weekly_line(history, END)
        put_tend_line(history)
    log = (Path(home) / "faults.log").read_text()
    assert "weekly line ZeroDivisionError" in log and "tend ZeroDivisionError" in log


@table(
    ("week", "line"),
    [
        (Tally(), ""),
        (Tally(shown=9, unknown=9, missed=2, not_delivered=1), ""),
        (Tally(heeded=1), "This week: 1 repeat prevented, 0 false alarms. lessons stats"),
        (Tally(overridden=1), "This week: 0 repeats prevented, 1 false alarm. lessons stats"),
        (
            Tally(heeded=1, stopped_corrected=2, false_alarms=1),
            "This week: 3 repeats prevented, 1 false alarm. lessons stats",
        ),
    ],
)
def test_the_line_of_a_week(week: Tally, line: str) -> None:
    assert weekly_line(week) == line
