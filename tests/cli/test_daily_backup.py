"""The daily backup of a large history: in a process of its own for a person, before the reading for a program."""

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from lessons.store import scan_log
from lessons.store.history import backups
from tests.builders.history import ScannedHome
from tests.cli.command_line import CommandLine
from tests.store.history.test_daily_backup import large

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


def test_json_for_a_person_is_the_same(home: ScannedHome, lessons: CommandLine) -> None:
    home.session("s2")
    lessons.person_json("scan", "--path", str(home.transcripts))
    assert calls_backed_up(home) == [60]


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
    wait_until(lambda: bool(calls_backed_up(home)))
    with backups.writing(home.path):  # whoever made it has let go of it
        assert calls_backed_up(home) == [60]
        assert scan_log.read(home.path) == []


def test_a_dry_run_makes_none(home: ScannedHome, lessons: CommandLine) -> None:
    assert lessons.by_person("scan", "--dry-run", "--path", str(home.transcripts)).code == 0
    assert not (home.home / "fired" / "backup").exists()
    assert calls_backed_up(home) == []


def test_auto_says_nothing_and_makes_one_a_day(home: ScannedHome, lessons: CommandLine) -> None:
    for _ in range(2):
        assert lessons.ok("backup", "create", "--auto") == ""
    assert calls_backed_up(home) == [60]


def test_auto_logs_what_keeps_it_from_its_work(home: ScannedHome, lessons: CommandLine) -> None:
    home.file.write_bytes(b"nonsense" * 1000)
    assert lessons.ok("backup", "create", "--auto") == ""
    assert "No backup of " in scan_log.read(home.path)[-1]


def wait_until(holds: Callable[[], bool]) -> None:
    give_up = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < give_up
        time.sleep(0.01)
