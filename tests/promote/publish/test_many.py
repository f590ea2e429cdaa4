"""Several processes make of lessons what one makes, whatever happens to them."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from lessons.config import Config, load
from lessons.promote.publish import assemble, many
from lessons.promote.publish.publish import publish
from lessons.promote.publish.spool import Parts
from lessons.promote.slow_regex import memory
from lessons.store import lesson_file
from lessons.store.lesson_file import LessonFile
from tests.builders.home import DataHome
from tests.builders.lessons import lesson

SLOW = r"(a+)+$"


@pytest.fixture
def home(tmp_path: Path) -> DataHome:
    home = DataHome(tmp_path)
    records = [lesson(f"l{at}", triggers={"commandPatterns": [rf"tool{at}\b.*--all"]}) for at in range(50)]
    broken: dict[str, object] = {"slug": "broken", "priority": "high"}
    slow = lesson("slow", triggers={"commandPatterns": [SLOW, "usual"]})
    home.write(*records[:20], broken, slow, *records[20:], lesson("retired", stage="retired"))
    return home


def made(home: DataHome, patch: pytest.MonkeyPatch, processes: int) -> list[Parts | str]:
    patch.setattr(many, "_wanted_processes", lambda lessons: processes)
    patch.setattr(many, "_LESSONS_AT_ONCE", 3)
    file = lesson_file.read(home.path)
    with closing(many.made_in_order(file, list(range(1, 54)), load(home.path))) as found:
        return list(found)


def test_it_is_the_same_in_the_same_order(home: DataHome, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = made(home, monkeypatch, 1)
    assert [type(each) for each in expected].count(str) == 1
    for processes in (2, 3, 30):
        assert made(home, monkeypatch, processes) == expected
    assert_no_child_is_left()


def test_what_is_known_of_patterns_is_learned(home: DataHome, monkeypatch: pytest.MonkeyPatch) -> None:
    memory.forget_all()
    made(home, monkeypatch, 1)
    expected = memory.since(0)
    memory.forget_all()
    made(home, monkeypatch, 2)
    assert memory.since(0) == expected
    assert len([verdict for verdict in expected.values() if verdict]) == 1


def test_nothing_is_made_of_a_record_whose_name_is_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = DataHome(tmp_path)
    home.write(*(lesson("same", problem=f"Problem {at}.") for at in range(5)), lesson("other"))
    made: list[int] = []

    def counted(file: LessonFile, numbers: list[int], config: Config) -> Iterator[Parts | str]:
        made.extend(numbers)
        return many.made_in_order(file, numbers, config)

    monkeypatch.setattr(assemble, "made_in_order", counted)
    for expected in ([1, 6], []):
        made.clear()
        report = publish(home.path)
        assert made == expected
        assert [each.slug for each in report.excluded] == ["same"] * 4
        assert "is also lesson 1" in report.excluded[0].reason


def test_a_process_that_dies_is_replaced(home: DataHome, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = made(home, monkeypatch, 1)
    monkeypatch.setattr(many, "_wanted_processes", lambda lessons: 2)
    started = many._start

    def killed(*arguments: object) -> many._Process:
        process = started(*arguments)  # type: ignore[arg-type]
        os.kill(process.process.pid, signal.SIGKILL)
        return process

    monkeypatch.setattr(many, "_start", killed)
    assert made(home, monkeypatch, 2) == expected
    assert_no_child_is_left()


def test_without_processes_one_does_everything(home: DataHome, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = made(home, monkeypatch, 1)
    fork = os.fork
    started: list[int] = []

    def limited() -> int:
        if started:
            raise BlockingIOError("Resource temporarily unavailable")
        number = fork()
        if number:
            started.append(number)
        return number

    monkeypatch.setattr(os, "fork", limited)
    assert made(home, monkeypatch, 3) == expected
    assert len(started) == 1
    assert_no_child_is_left()


def test_whoever_stops_leaves_no_process(home: DataHome, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(many, "_wanted_processes", lambda lessons: 2)
    with closing(many.made_in_order(lesson_file.read(home.path), [1, 2, 3], load(home.path))) as found:
        next(found)
    assert_no_child_is_left()


def test_few_lessons_need_no_process() -> None:
    assert many._wanted_processes(many._FEW_LESSONS - 1) == 1
    assert 1 <= many._wanted_processes(1_000_000) <= 4


_PROGRAM = """
import os, signal, sys
from lessons.config import load
from lessons.promote.publish import many
from lessons.store import lesson_file
home = sys.argv[1]
many._wanted_processes = lambda lessons: 2
found = many.made_in_order(lesson_file.read(home), [1, 2, 3, 4] * 2_000, load(home))
next(found)
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_no_process_survives_the_first_one(home: DataHome) -> None:
    """Each has its standard output: that ends when the last of them is gone."""
    ended = subprocess.run([sys.executable, "-c", _PROGRAM, home.path], stdout=subprocess.PIPE, timeout=60)
    assert ended.returncode == -signal.SIGKILL


def assert_no_child_is_left() -> None:
    """Other tests may have left processes behind in this one, but no copies of it."""
    listed = subprocess.run(
        ["ps", "-A", "-o", "pid=,ppid=,args="], stdout=subprocess.PIPE, text=True, check=True
    ).stdout
    rows = [(*line.split(None, 2), "")[:3] for line in listed.splitlines()]
    me = str(os.getpid())
    own = next(arguments for number, _, arguments in rows if number == me)
    assert [number for number, parent, arguments in rows if parent == me and arguments == own] == []
