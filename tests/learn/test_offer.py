"""When a person is told that there is something to learn from: not for a few mistakes, and counted once a day."""

from pathlib import Path

from lessons.learn.offer import LINE, note_when_due, offer
from lessons.store.history.candidates import ToLearn
from lessons.store.history.history import History
from lessons.store.session_start_files import read_person_lines
from tests.builders.mistakes import MISTAKES, Mistake, write_sessions
from tests.flows.scanning import scan

NOW = 2e9
DAY = 86_400
NAMES = ("lamp", "till", "bell", "door", "oven", "pump", "saw", "kiln", "loom", "mill", "fan", "tap")
MANY = tuple(
    Mistake(
        f"{name} start {{}} --{name}-wide", f"Exit code 1\nunknown flag: --{name}-wide", f"{name} start {{}} --broad"
    )
    for name in NAMES
)


def counted(home: Path, now: float) -> ToLearn | None:
    with History.opened(str(home)) as history:
        note_when_due(history, now)
        return history.answers.to_learn()


def text(home: Path) -> str:
    line = read_person_lines(str(home)).get(LINE)
    return line.text if line else ""


def test_a_few_mistakes_are_no_news(tmp_path: Path) -> None:
    write_sessions(tmp_path / "projects", mistakes=MISTAKES)
    scan(tmp_path / "home", tmp_path / "projects")
    assert (counted(tmp_path / "home", NOW), text(tmp_path / "home")) == (ToLearn(0, NOW), "")


def test_enough_of_them_are_and_they_are_counted_once_a_day(tmp_path: Path) -> None:
    home = tmp_path / "home"
    write_sessions(tmp_path / "projects", mistakes=MANY)
    scan(home, tmp_path / "projects")
    with History.for_reading(str(home)) as history:
        found = offer(history)
    assert (found.mistakes, found.failures, found.minutes) == (12, 36, 1)
    assert counted(home, NOW) == ToLearn(36, NOW)
    assert text(home) == "36 failures in your history have no lesson yet. lessons learn"
    assert counted(home, NOW + DAY - 1) == ToLearn(36, NOW)
    assert counted(home, NOW + DAY) == ToLearn(36, NOW + DAY)
