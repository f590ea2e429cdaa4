"""`lessons scan` on a terminal: the bar, an interruption, and what is left to do after it."""

import os
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

import pytest

from lessons.store import logs
from lessons.store.history import backups
from tests.builders.big_session import many_transcripts
from tests.builders.days import Did, on_day
from tests.builders.history import ScannedHome
from tests.cli.command_line import COLUMNS, CommandLine, finish, plain, widest
from tests.cli.transcripts import projects
from tests.cli.verbs.test_scan import calls
from tests.store.history.test_backups import backed_up

FILES, BYTES = 16, 400_000


@pytest.fixture
def much_to_read(lessons: CommandLine) -> Path:
    """Enough to see a bar and to be interrupted."""
    many_transcripts(projects(lessons), FILES, BYTES)
    return projects(lessons)


def test_the_bar(lessons: CommandLine, much_to_read: Path) -> None:
    terminal = lessons.terminal("scan")
    terminal.expect(r"Reading.*/\d+\.\d MB")
    code, lines = finish(terminal)
    assert code == 0
    shown = plain(str(terminal.after)) + "\n".join(lines)
    assert "Looking for mistakes" in shown
    account = [line for line in lines if line.startswith(f"{FILES} files: {FILES} read")]
    assert len(account) == 1
    assert widest(lines) <= COLUMNS
    again = [line for line in lessons.screen("scan") if line]
    assert again[0] == f"{FILES} files: 0 read, {FILES} unchanged: nothing new."


def test_interrupted_in_the_middle(lessons: CommandLine, much_to_read: Path) -> None:
    many_transcripts(much_to_read, FILES, 3 * BYTES)  # the interrupt comes long before the end, on a busy machine too
    terminal = lessons.terminal("scan")
    terminal.expect(r"Reading.*[1-9]\d*\.\d/\d+\.\d MB")
    terminal.sendintr()
    code, lines = finish(terminal)
    assert code == 130
    assert [line for line in lines if line][-1].removeprefix("^C") == "Interrupted."
    assert "Traceback" not in "".join(lines)
    before = calls(lessons)
    assert before > 0

    rest = lessons.json("scan")
    assert 0 < rest["files"]["unchanged"] < FILES
    assert rest["files"]["unchanged"] + rest["files"]["read"] == FILES
    assert rest["duplicates"] == 0
    whole = lessons.json("scan", "--path", str(much_to_read), LESSONS_HOME=str(lessons.work / "fresh"))
    assert calls(lessons) == whole["calls"]["total"] > before


in_processes = pytest.mark.skipif(not os.path.exists("/proc/self/environ"), reason="processes are found in /proc")
VERBS = {"scan": ["scan"], "init": ["init", "--yes", "--no-install"]}


@pytest.fixture
def home(tmp_path: Path) -> ScannedHome:
    """A history that takes a while to copy, with the backup of yesterday."""
    home = ScannedHome(tmp_path)
    home.session("s1")
    home.scan()
    with closing(sqlite3.connect(home.file)) as connection, connection:
        connection.execute("CREATE TABLE filler (content)")
        connection.execute("INSERT INTO filler VALUES (zeroblob(24000000))")
    return backed_up(home)


def calls_backed_up(home: ScannedHome) -> list[int]:
    return [each.calls for each in backups.listing(home.path)]


@pytest.mark.parametrize("verb", VERBS)
def test_a_program_gets_its_result_after_the_backup(verb: str, home: ScannedHome, lessons: CommandLine) -> None:
    home.session("s2")
    lessons.json(*VERBS[verb], "--path", str(home.transcripts))
    assert calls_backed_up(home) == [60, 60]  # of before


@in_processes
@pytest.mark.parametrize("verb", VERBS)
def test_a_person_gets_the_result_while_no_backup_can_be_made(
    verb: str, home: ScannedHome, lessons: CommandLine
) -> None:
    with backups.writing(home.path):
        ended = lessons.by_person(*VERBS[verb], "--path", str(home.transcripts))
        assert ended.code == 0, ended
        assert calls_backed_up(home) == [60]
        again = lessons.by_person("scan", "--path", str(home.transcripts))
        assert again.code == 0, again
    wait_until(lambda: not processes_of(home))
    assert calls_backed_up(home) == [60, 60]  # though two processes were started
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
