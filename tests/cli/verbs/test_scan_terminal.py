"""`lessons scan` on a terminal: a bar while it reads, and ^C in the middle loses nothing."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pexpect
import pytest

from tests.builders.big_session import many_transcripts
from tests.cli.command_line import COLUMNS, CommandLine, finish, plain, widest
from tests.cli.transcripts import projects

FILES, BYTES = 16, 400_000


@pytest.fixture
def much_to_read(lessons: CommandLine) -> Path:
    """Enough to see a bar and to be interrupted."""
    many_transcripts(projects(lessons), FILES, BYTES)
    return projects(lessons)


def calls(lessons: CommandLine) -> int:
    with closing(sqlite3.connect(lessons.home / "history.db")) as connection:
        return int(connection.execute("SELECT count(*) FROM calls").fetchone()[0])


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


def test_no_bar_without_a_terminal_or_with_json(lessons: CommandLine) -> None:
    many_transcripts(projects(lessons), 2, 10_000)
    assert "Reading" not in lessons.ok("scan")
    assert "Reading" not in "".join(lessons.screen("scan", "--full", "--json"))


def test_interrupted_in_the_middle(lessons: CommandLine, much_to_read: Path) -> None:
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


def test_interrupted_before_anything_was_read(lessons: CommandLine, much_to_read: Path) -> None:
    terminal = lessons.terminal("scan")
    terminal.expect("Reading")
    terminal.kill(2)
    terminal.expect(pexpect.EOF)
    terminal.close()
    assert terminal.exitstatus == 130
    assert lessons.json("scan")["files"]["found"] == FILES
