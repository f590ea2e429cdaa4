"""What a scan leaves to do in a large history: for a person in a process of its own, for a program at once."""

import os
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from lessons.store import logs
from lessons.store.history import backups
from tests.builders.days import Did, on_day
from tests.builders.history import ScannedHome
from tests.cli.command_line import CommandLine
from tests.store.history.test_backups import large

in_processes = pytest.mark.skipif(not os.path.exists("/proc/self/environ"), reason="processes are found in /proc")
VERBS = {"scan": ["scan"], "init": ["init", "--yes", "--no-install"]}


@pytest.fixture
def home(tmp_path: Path) -> ScannedHome:
    return large(tmp_path)


def calls_backed_up(home: ScannedHome) -> list[int]:
    return [each.calls for each in backups.listing(home.path)]


@pytest.mark.parametrize("verb", VERBS)
def test_a_program_gets_its_result_after_the_backup(verb: str, home: ScannedHome, lessons: CommandLine) -> None:
    home.session("s2")
    lessons.json(*VERBS[verb], "--path", str(home.transcripts))
    assert calls_backed_up(home) == [60]  # of before


@in_processes
@pytest.mark.parametrize("verb", VERBS)
def test_a_person_gets_the_result_while_no_backup_can_be_made(
    verb: str, home: ScannedHome, lessons: CommandLine
) -> None:
    with backups.writing(home.path):
        ended = lessons.by_person(*VERBS[verb], "--path", str(home.transcripts))
        assert ended.code == 0, ended
        assert calls_backed_up(home) == []
        again = lessons.by_person("scan", "--path", str(home.transcripts))  # starts no second one
        assert again.code == 0, again
    wait_until(lambda: not processes_of(home))
    assert calls_backed_up(home) == [60]
    assert logs.read_scan_log(home.path) == []


def mistakes(home: ScannedHome) -> None:
    """Two sessions with a mistake that was mended."""
    wrong, right = Did("gh pr diff 7 --stat", "Exit code 1\nunknown flag: --stat"), Did("gh pr diff 7")
    for day in (1, 2):
        on_day(day, wrong, right, name=f"day {day}").write(home.transcripts)


def prepared(home: ScannedHome) -> bool:
    return home.rows("SELECT count(*) FROM proposals") != [(0,)]


def test_a_program_gets_its_result_when_triggers_are_prepared(home: ScannedHome, lessons: CommandLine) -> None:
    mistakes(home)
    lessons.json("scan", "--path", str(home.transcripts))
    assert prepared(home)
    assert not (home.home / "fired").exists()


@in_processes
def test_a_person_gets_the_result_before(home: ScannedHome, lessons: CommandLine) -> None:
    mistakes(home)
    with backups.writing(home.path):  # that process makes the backup first
        ended = lessons.by_person("scan", "--path", str(home.transcripts))
        assert ended.code == 0, ended
        assert not prepared(home)
    wait_until(lambda: not processes_of(home))
    assert prepared(home)
    assert logs.read_scan_log(home.path) == []


def test_what_is_left_is_done_without_a_word_and_once(home: ScannedHome, lessons: CommandLine) -> None:
    for _ in range(2):
        assert lessons.ok("scan", "--finish") == ""
    assert calls_backed_up(home) == [60]


def processes_of(home: ScannedHome) -> list[str]:
    """Those with this data home: a test leaves none behind."""
    found = []
    for name in filter(str.isdecimal, os.listdir("/proc")):
        with suppress(OSError):  # it has ended, or is another user's
            if f"LESSONS_HOME={home.path}\0".encode() in Path("/proc", name, "environ").read_bytes():
                found.append(name)
    return found


def wait_until(holds: Callable[[], bool]) -> None:
    give_up = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < give_up
        time.sleep(0.01)
