"""`lessons replay`: what a person types and reads; the walk itself is tested with its room."""

import pytest

from tests.builders.days import GARDEN, SHOP, Did, on_day
from tests.cli.command_line import CommandLine
from tests.cli.transcripts import projects

STAT = Did("gh pr diff 7 --stat", "Exit code 1\nunknown flag: --stat")
NAMES = Did("gh pr diff 7 --name-only")
SCRIPT = Did("npm run polish", 'Exit code 1\nnpm error Missing script: "polish"')
KEYS = (
    "repeats caughtAtCall notedAtStart caughtAtError missed perMistake goodCalls falseAlarms alarmsPerSession unknown"
    " mistakes since sessions falseAlarmsBy"
).split()


@pytest.fixture
def scanned(lessons: CommandLine) -> CommandLine:
    """A mistake that is caught the second time, and missed in another project."""
    for day, cwd in ((1, SHOP), (2, SHOP), (3, GARDEN)):
        on_day(day, SCRIPT, NAMES, cwd=cwd).write(projects(lessons))
    lessons.ok("scan")
    return lessons


def test_without_a_history(lessons: CommandLine) -> None:
    assert "run `lessons scan` first" in lessons.refused("replay")


def test_nothing_repeated(lessons: CommandLine) -> None:
    on_day(1, STAT, NAMES).write(projects(lessons))
    lessons.ok("scan")
    ended = lessons("replay")
    assert (ended.code, ended.out) == (0, "")
    assert ended.error == "No mistake was repeated in another session: there was nothing to catch.\n"
    assert lessons.json("replay")["repeats"] == 0


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        (["--since", "soon"], 2, "'soon' is not a date"),
        (["all"], 2, "unexpected extra argument"),
        (["--project", ""], 1, "--project is empty: give the folder of a project, or a part of its path."),
    ],
)
def test_what_is_refused(arguments: list[str], code: int, sentence: str, scanned: CommandLine) -> None:
    assert sentence in scanned.refused("replay", *arguments, code=code)


def test_the_document(scanned: CommandLine) -> None:
    before = {path.name: path.read_bytes() for path in scanned.home.glob("*.json*")}
    found = scanned.json("replay")
    assert list(found) == KEYS
    assert (found["repeats"], found["caughtAtCall"], found["missed"], found["sessions"]) == (2, 1, 1, 2)
    assert found["perMistake"] == {"caught": 0.5, "atCall": 0.5}
    [missed] = scanned.json("replay", "--missed")["missedRepeats"]
    assert (missed["why"], missed["cwd"], missed["command"]) == ("scope", GARDEN, SCRIPT.command)
    assert {path.name: path.read_bytes() for path in scanned.home.glob("*.json*")} == before


@pytest.mark.parametrize(
    ("arguments", "repeats", "since"),
    [
        (["--since", "2026-10-01"], 0, ""),
        (["--project", "nowhere"], 0, ""),
        (["--since", "2026-09-04T00:00:00+00:00"], 1, "2026-09-04T08:00:00.000Z"),
        (["--project", "Garden"], 1, "2026-09-04T08:00:00.000Z"),
        (["--project", SHOP], 1, "2026-09-02T08:00:00.000Z"),
        (["--project", "/home/somebody"], 2, "2026-09-02T08:00:00.000Z"),
    ],
)
def test_a_part_of_the_history(arguments: list[str], repeats: int, since: str, scanned: CommandLine) -> None:
    found = scanned.json("replay", *arguments)
    assert (found["repeats"], found["since"]) == (repeats, since)


def test_false_alarms_name_their_lesson(scanned: CommandLine) -> None:
    on_day(9, SCRIPT, Did(SCRIPT.command)).write(projects(scanned))
    scanned.ok("scan")
    found = scanned.json("replay")
    assert (found["falseAlarms"], [each["falseAlarms"] for each in found["falseAlarmsBy"]]) == (1, [1])
    assert scanned.ok("replay").splitlines()[-1].split("\t")[2] == found["falseAlarmsBy"][0]["fingerprint"]


def test_what_a_person_reads(scanned: CommandLine) -> None:
    said = scanned.ok("replay").splitlines()
    assert said[:4] == [
        "Had `lessons` been on since September 2026, it would have caught 1 of 2 repeated mistakes at the call,"
        " with 0 false alarms.",
        "1 at the call, 0 at session start, 0 after the error, 1 missed.",
        "Mean over 1 mistake: 50% caught, 50% at the call.",
        "0 of 2 good calls raised a false alarm; a lesson fired at 0.50 calls per session.",
    ]
    assert said[5].split("\t")[:6] == ["2", "1", "0", "0", "1", "scope"]
    assert "polish" in said[5]
    assert len(said) == 6
    missed = scanned.ok("replay", "--missed").splitlines()[5]
    assert missed.split("\t")[:3] == ["2026-09-04 08:00", "scope", SCRIPT.command]
