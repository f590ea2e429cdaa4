"""`lessons candidates`: the list, one candidate, rejections, and the progress bar."""

import json
import os
import sqlite3
import stat
import sys
from contextlib import closing
from pathlib import Path

import pytest

from lessons.cli.candidate_text import NONE_LEFT
from tests.builders.candidates import GARDEN, TWICE, Seen, put, put_into
from tests.builders.lessons import lesson
from tests.builders.mistakes import WRITTEN
from tests.builders.past import Past, home_with
from tests.cli.command_line import COLUMNS, CommandLine, widest
from tests.cli.on_terminal import run_with_errors_on_terminal
from tests.cli.transcripts import SHOP, write
from tests.cli.walking import with_history

ONE = (Seen(),)
THREE = (*TWICE, Seen("s2", uuid="u3", project=GARDEN))
LONG = "`make ship` was run in " + "a very long folder " * 30 + "写" * 60
WEAKER = "1 weaker candidate is hidden (seen in one session only): add --all."
HINT = "Next: `lessons review` to decide, `lessons promote N` to make one a lesson."


@pytest.fixture
def read(lessons: CommandLine) -> CommandLine:
    """A home that has read one session with a tag in it."""
    write(lessons)
    lessons.ok("scan")
    return lessons


# What must not happen.


def test_without_a_history(lessons: CommandLine) -> None:
    """A queue that nobody has filled yet is empty, and that is no failure."""
    for arguments in (["candidates"], ["candidates", "--all"], ["scan", "candidates"]):
        ended = lessons(*arguments)
        assert (ended.code, ended.out, ended.error) == (0, "", "No candidates yet. Run `lessons scan` first.\n")
    assert lessons.json("candidates")["candidates"] == []
    assert list(lessons.home.iterdir()) == []
    lessons.home.rmdir()
    assert lessons("candidates").code == 0
    assert not lessons.home.exists()


def test_nothing_waits(lessons: CommandLine) -> None:
    lessons("scan")
    ended = lessons("candidates")
    assert (ended.code, ended.out) == (0, "")
    assert ended.error == f"{NONE_LEFT}\n"
    assert lessons.json("candidates")["candidates"] == []


def test_one_session_is_not_enough_without_all(read: CommandLine) -> None:
    ended = read("candidates")
    assert (ended.code, ended.out) == (0, "")
    assert ended.error == f"{WEAKER}\n"
    assert len(read.json("candidates", "--all")["candidates"]) == 1


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["candidates", "--tier", "4"], "--tier"),
        (["scan", "--full", "candidates"], "Write the options after candidates"),
    ],
)
def test_what_is_usage(arguments: list[str], sentence: str, lessons: CommandLine) -> None:
    assert sentence in " ".join(lessons.refused(*arguments, code=2).split())


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("extra", "No candidate 'extra': `lessons candidates --all --json` lists the fingerprints."),
        ("1", "No list of candidates was shown yet"),
        ("0", "No list of candidates was shown yet"),
    ],
)
def test_a_candidate_that_is_not_there(name: str, sentence: str, read: CommandLine) -> None:
    assert sentence in read.refused("candidates", name)


# What is shown.


def test_the_document(read: CommandLine) -> None:
    put_into(read.home, "mined", seen=THREE)
    document = read.json("candidates", "--all")
    assert list(document) == ["generatedAt", "candidates"]
    mined, tag = document["candidates"]
    assert (mined["index"], mined["tier"], mined["kind"], mined["fingerprint"]) == (1, 2, "wrong-flag", "mined")
    assert (mined["occurrenceCount"], mined["sessionCount"], mined["projectCount"]) == (3, 2, 2)
    assert (mined["priority"], mined["confidence"], mined["minutesLost"]) == (8, 0.5, 2.0)
    assert mined["scope"] == {"type": "global"}
    assert (mined["proposedTrigger"], bool(mined["noTrigger"])) == (None, True)
    assert len(mined["evidence"]) == 3
    assert (tag["index"], tag["tier"], tag["kind"], tag["priority"]) == (2, 1, "tag", 4)
    assert tag["scope"] == {"type": "project", "path": SHOP}
    assert tag["problem"] == "The till has no rule."
    assert read.json("scan", "candidates", "--all")["candidates"] == document["candidates"]


def test_one_candidate_with_what_the_agent_wrote(lessons: CommandLine) -> None:
    """As a quotation with its origin; the list of all does not hold it."""
    with_history(lessons)
    listed = lessons.json("candidates")["candidates"]
    assert all("diagnoses" not in each for each in listed)
    [one] = [each for each in listed if "--stat" in each["problem"]]
    [shown] = lessons.json("candidates", str(one["index"]))["candidates"]
    assert {each["text"] for each in shown["diagnoses"]} == {WRITTEN.format(number) for number in (10, 11, 12)}
    assert {key: shown[key] for key in one} == one
    text = lessons.ok("candidates", one["fingerprint"])
    said = shown["diagnoses"][0]
    origin = f"claude-code after the failed call, session {said['sessionId'][:8]}, {said['time'][:10]}"
    assert f"“{said['text']}” ({origin})" in text
    assert "gh pr diff" in text and one["fingerprint"] in text


def test_by_tier(read: CommandLine) -> None:
    put_into(read.home, "mined")
    put_into(read.home, "person", tier=3, kind="correction", seen=ONE)

    def marks(*arguments: str) -> list[str]:
        return [each["fingerprint"] for each in read.json("candidates", *arguments)["candidates"]]

    assert marks() == ["mined"]
    assert marks("--tier", "3") == []
    assert marks("--tier", "3", "--all") == ["person"]
    assert len(marks("--all")) == 3


def test_in_a_pipe(read: CommandLine) -> None:
    put_into(read.home, "mined", seen=THREE, problem="a\ttab\x1b[2J and\na line")
    ended = read("candidates")
    (row,) = ended.out.splitlines()
    assert row.split("\t")[:7] == ["1", "wrong-flag", "3", "2", "2", "2", "a tab�[2J and a line"]
    assert ended.error == f"{WEAKER}\n"


def test_on_a_terminal(read: CommandLine) -> None:
    put_into(read.home, "a-mined", seen=THREE)
    put_into(read.home, "b-long", problem=LONG, solution=LONG, minutesLost=0.2)
    lines = read.screen("candidates")
    assert widest(lines) <= COLUMNS
    assert lines[:3] == [
        "  1  wrong-flag  3× in 2 sessions, 2 projects, 2 minutes lost",
        "     `gh pr diff` has no `--stat`",
        "     → `--name-only` worked in 2 of 2 later calls",
    ]
    assert lines[3] == "  2  wrong-flag  2× in 2 sessions, 1 project"
    assert len(lines) <= 10
    assert lines[-2:] == [WEAKER, HINT]


# The file of a scan, and what a scan says.


def test_a_scan_writes_the_file_and_says_how_many_are_new(lessons: CommandLine) -> None:
    write(lessons)
    assert lessons.ok("scan").splitlines()[-1] == "1 new candidate: `lessons candidates --all` shows it."
    file = lessons.home / "cross-project-candidates.json"
    document = json.loads(file.read_text())
    assert [each["problem"] for each in document["candidates"]] == ["The till has no rule."]
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    before = file.stat().st_mtime_ns
    lessons.ok("scan")
    lessons.ok("scan", "--full")
    assert file.stat().st_mtime_ns == before
    file.unlink()
    lessons.ok("scan")
    assert json.loads(file.read_text())["candidates"] == document["candidates"]


# Counts and numbers.


def listed(lessons: CommandLine) -> list[str]:
    return [each["fingerprint"] for each in lessons.json("candidates", "--all")["candidates"]]


def test_a_candidate_that_cannot_be_rejected(lessons: CommandLine) -> None:
    write(lessons)
    lessons.ok("scan")
    assert "No candidate 'nobody'" in lessons.refused("reject", "nobody")
    assert "lessons candidates" in lessons.refused("reject", "1")
    assert "Name what to reject" in lessons.refused("reject", code=2)


def test_rejected_and_undone(lessons: CommandLine) -> None:
    write(lessons)
    lessons.ok("scan")
    put_into(lessons.home, "mined")
    assert "mined" in listed(lessons)
    number = next(each["index"] for each in lessons.json("candidates")["candidates"] if each["fingerprint"] == "mined")
    told = lessons.json("reject", str(number), "--reason", "nobody does that")
    assert [(each["decision"], each["fingerprint"]) for each in told["rejected"]] == [("archived", "mined")]
    assert "mined" not in listed(lessons)
    assert "already" in lessons.refused("reject", "mined")
    lessons.ok("undo")
    assert "mined" in listed(lessons)


SHOWN = "Computing triggers"
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pty")


def made(home: Path, number: int) -> None:
    """Candidates of two sessions each, without a stored trigger."""
    home_with(home, Past(command="ls"))
    with closing(sqlite3.connect(home / "history.db")) as connection, connection:
        for each in range(number):
            put(connection, f"said-{each}", seen=[Seen("s1"), Seen("s2")], tier=3, kind="correction")


@pytest.mark.parametrize(("number", "options", "is_shown"), [(3, [], False), (120, ["--json"], True)])
def test_progress_on_a_terminal(tmp_path: Path, number: int, options: list[str], is_shown: bool) -> None:
    made(tmp_path, number)
    environment = {**os.environ, "LESSONS_HOME": str(tmp_path), "TERM": "xterm-256color", "COLUMNS": "100"}
    command = [sys.executable, "-m", "lessons", "candidates", *options]
    printed = run_with_errors_on_terminal(command, environment, 60)
    assert printed.code == 0
    assert (SHOWN in printed.error) is is_shown
    assert SHOWN not in printed.out
    assert not options or len(json.loads(printed.out)["candidates"]) == number


def test_a_page_of_an_import_has_no_fields_of_a_failure(lessons: CommandLine) -> None:
    (lessons.work / "lessons.json").write_text(json.dumps({"lessons": [lesson()]}))
    lessons("import", "lessons.json")
    lessons.ok("candidates", "--all")
    names = [line.split()[0] for line in lessons.ok("candidates", "1").splitlines()]
    assert names[0] == "candidate" and not {"failed", "error", "worked", "agent"} & {*names}
