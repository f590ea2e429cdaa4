"""`lessons scan --auto`: in the background of a session; it never speaks, never fails, and comes when it is due."""

import json
import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.cli.command_line import CommandLine, Ended
from tests.cli.transcripts import write

SILENT = Ended(0, "", "")
Accident = Callable[[CommandLine], None]


def log(lessons: CommandLine) -> list[str]:
    file = lessons.home / "scan.log"
    return file.read_text(encoding="utf-8").splitlines() if file.exists() else []


def calls(lessons: CommandLine) -> int:
    with closing(sqlite3.connect(lessons.home / "history.db")) as connection:
        return int(connection.execute("SELECT count(*) FROM calls").fetchone()[0])


def last_scan(lessons: CommandLine, ago: timedelta) -> None:
    then = (datetime.now(UTC) - ago).timestamp()
    os.utime(lessons.home / "scan-state.json", (then, then))


def test_it_comes_when_it_is_due(lessons: CommandLine) -> None:
    write(lessons)
    assert lessons("scan", "--auto") == SILENT
    assert calls(lessons) == 3
    [line] = log(lessons)
    time, _, words = line.partition(" ")
    assert datetime.fromisoformat(time).tzinfo is not None
    assert words.startswith("1 file: 1 read, 0 unchanged. 8 records in ")

    # Not again within the hours of the setting.
    write(lessons, "two")
    for hours in (0, 23):
        last_scan(lessons, timedelta(hours=hours))
        assert lessons("scan", "--auto") == SILENT
    assert (calls(lessons), len(log(lessons))) == (3, 1)

    last_scan(lessons, timedelta(hours=25))
    assert lessons("scan", "--auto") == SILENT
    assert (calls(lessons), len(log(lessons))) == (6, 2)


def test_the_hours_are_a_setting(lessons: CommandLine) -> None:
    write(lessons)
    lessons("scan", "--auto")
    last_scan(lessons, timedelta(minutes=40))
    lessons("scan", "--auto", LESSONS_AUTO_SCAN_INTERVAL_HOURS="1")
    assert len(log(lessons)) == 1
    lessons("scan", "--auto", LESSONS_AUTO_SCAN_INTERVAL_HOURS="0.5")
    assert len(log(lessons)) == 2
    lessons("scan", "--auto", LESSONS_AUTO_SCAN_INTERVAL_HOURS="0")
    assert len(log(lessons)) == 3


def test_a_person_does_not_wait_for_it(lessons: CommandLine) -> None:
    write(lessons)
    lessons("scan", "--auto")
    write(lessons, "two")
    assert lessons.ok("scan").startswith("2 files: 1 read, 1 unchanged.")


def test_the_clock_was_set_back(lessons: CommandLine) -> None:
    """A scan that lies in the future does not keep the next one away for ever."""
    write(lessons)
    lessons("scan", "--auto")
    write(lessons, "two")
    last_scan(lessons, timedelta(days=-400))
    assert lessons("scan", "--auto") == SILENT
    assert calls(lessons) == 6


def damaged_config(lessons: CommandLine) -> None:
    (lessons.home / "config.json").write_text("{")


def wrong_setting(lessons: CommandLine) -> None:
    (lessons.home / "config.json").write_text(json.dumps({"minPriority": "high"}))


def no_database(lessons: CommandLine) -> None:
    (lessons.home / "history.db").write_bytes(b"this is no database " * 500)


def half_a_database(lessons: CommandLine) -> None:
    lessons.ok("scan")
    database = lessons.home / "history.db"
    data = database.read_bytes()
    database.write_bytes(data[:4096] + os.urandom(len(data) - 4096))


def folder_in_place_of_the_database(lessons: CommandLine) -> None:
    (lessons.home / "history.db").mkdir()


def folder_in_place_of_the_log(lessons: CommandLine) -> None:
    (lessons.home / "scan.log").mkdir()


def nobody_may_write(lessons: CommandLine) -> None:
    lessons.home.chmod(0o500)


def file_in_place_of_the_home(lessons: CommandLine) -> None:
    lessons.home.rmdir()
    lessons.home.write_text("not a folder")


def unreadable_transcript(lessons: CommandLine) -> None:
    (lessons.person / ".claude" / "projects" / "loop.jsonl").symlink_to("loop.jsonl")


# What the log tells, where there can be one.
ACCIDENTS: dict[Accident, str] = {
    damaged_config: "config.json",
    wrong_setting: "minPriority",
    no_database: "history",
    half_a_database: "history",
    folder_in_place_of_the_database: "history.db cannot be used",
    folder_in_place_of_the_log: "",
    nobody_may_write: "",
    file_in_place_of_the_home: "",
    unreadable_transcript: "loop.jsonl could not be read",
}


@pytest.mark.parametrize("accident", ACCIDENTS, ids=lambda accident: accident.__name__)
def test_it_never_fails(lessons: CommandLine, accident: Accident) -> None:
    write(lessons)
    accident(lessons)
    assert lessons.as_anyone("scan", "--auto", LESSONS_AUTO_SCAN_INTERVAL_HOURS="0") == SILENT
    lessons.home.chmod(0o700)
    if ACCIDENTS[accident]:
        written = "\n".join(log(lessons))
        assert ACCIDENTS[accident] in written
        assert "Traceback" not in written


def test_wrong_words_in_the_log_only(lessons: CommandLine) -> None:
    assert lessons("scan", "--auto", "--path", "missing") == SILENT
    assert "missing does not exist" in log(lessons)[0]
    assert lessons("scan", "--auto", LESSONS_HOME="relative") == SILENT


def test_the_log_stays_small(lessons: CommandLine) -> None:
    (lessons.home / "scan.log").write_text("an old line\n" * 100_000)
    lessons("scan", "--auto")
    assert len(log(lessons)) == 1
    assert sum(path.stat().st_size for path in Path(lessons.home).glob("scan.log*")) < 2_000_000


def test_with_json_it_is_silent_too(lessons: CommandLine) -> None:
    write(lessons)
    assert lessons("scan", "--auto", "--json") == SILENT
