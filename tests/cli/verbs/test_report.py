"""`lessons report`: what a person types and gets; what is on the page is tested with its room."""

import stat
from pathlib import Path

import pytest

from tests.builders.days import Did, on_day
from tests.cli.command_line import CommandLine
from tests.cli.transcripts import projects

STAT = Did("gh pr diff 7 --stat", "Exit code 1\nunknown flag: --stat")
NAMES = Did("gh pr diff 7 --name-only")
KEYS = (
    "since until totals weeks cost effects pooled together funnel otherLessons unsolved lessons catchRate hook coverage"
).split()


@pytest.fixture
def scanned(lessons: CommandLine) -> CommandLine:
    for day in (1, 2, 3):
        on_day(day, STAT, NAMES).write(projects(lessons))
    lessons.ok("scan")
    return lessons


def test_without_a_history(lessons: CommandLine) -> None:
    assert "run `lessons scan` first" in lessons.refused("report")
    assert not (lessons.home / "report.html").exists()


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        (["--json", "-o", "x.html"], 2, "leave out -o and --open"),
        (["--json", "--open"], 2, "leave out -o and --open"),
        (["-o", ""], 1, "-o is empty: give the file to write."),
        (["-o", "."], 1, "is a folder: give the file to write"),
        (["-o", "nowhere/x.html"], 1, "does not exist: create it first."),
        (["more"], 2, "unexpected extra argument"),
    ],
)
def test_what_is_refused(arguments: list[str], code: int, sentence: str, scanned: CommandLine) -> None:
    assert sentence in scanned.refused("report", *arguments, code=code)


def test_the_page_is_private_and_the_same_twice(scanned: CommandLine) -> None:
    said = scanned.ok("report")
    path = scanned.home / "report.html"
    assert said == f"{path}\n"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    first, written = path.read_bytes(), path.stat().st_mtime_ns
    assert scanned.ok("report") == said
    assert (path.read_bytes(), path.stat().st_mtime_ns) == (first, written)
    scanned.ok("report", "-o", "mine.html")
    assert (scanned.work / "mine.html").read_bytes() == first
    assert b"--stat" in first


def test_the_document(scanned: CommandLine) -> None:
    found = scanned.json("report")
    assert list(found) == KEYS
    assert (found["totals"]["sessions"], found["totals"]["repeats"], found["catchRate"]["caught"]) == (3, 2, 2)
    assert not (scanned.home / "report.html").exists()


def test_it_is_opened_on_a_terminal(scanned: CommandLine, tmp_path: Path) -> None:
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" > {tmp_path}/opened\n')
    browser.chmod(0o755)
    shown = scanned.by_person("report", "--open", BROWSER=str(browser))
    assert shown.code == 0
    assert (tmp_path / "opened").read_text() == f"file://{scanned.home}/report.html\n"
