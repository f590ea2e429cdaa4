"""`lessons backtest`: what a person types and reads; the figures themselves are tested with the stage."""

import pytest

from tests.builders.home import DataHome
from tests.builders.lessons import lesson
from tests.builders.past import Past, failed, home_with
from tests.builders.promotable import UNKNOWN, mistake, write_mistakes
from tests.cli.command_line import COLUMNS, CommandLine, widest
from tests.cli.transcripts import projects

LINE = "gh pr diff 7 --stat"
ERROR = "Exit code 1\nunknown flag: --stat"
KEYS = "hits sessions projects failedSame failedOther ok unknown judged precision caught perWeek examples".split()
KEYS += ["stateUnknown", "learnedFrom", "learnedHits", "learnedUnknown", "others"]
EXAMPLE_KEYS = "toolUseId session project time tool command path error same suspicious".split()
STAT = lesson("no-stat", triggers={"commandPatterns": [r"gh pr diff\b.*--stat"]}, sourceSessionIds=["s1"])


@pytest.fixture
def filled(home: DataHome, lessons: CommandLine) -> CommandLine:
    """A lesson, and a history in which it would have fired."""
    home.publish(STAT)
    calls = [failed(LINE, ERROR), failed(f"{LINE} \x1b[2J", ERROR, session="s2", time="2026-09-20T08:00:00.000Z")]
    calls += [Past(command=f"{LINE} | {'head ' * 40}", suspicious=True, error="unknown flag", session="s3")]
    calls += [Past(command="ls"), Past(tool="Write", arguments={"file_path": "/写/a.py", "content": "x" * 90})]
    home_with(home.folder, *calls)
    return lessons


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        ([], 2, "Give the slug of a lesson, or a trigger such as --command-pattern 'git push'."),
        (["--project", "."], 2, "Give the slug of a lesson, or a trigger"),
        (["no-stat", "--unless", "x"], 2, "Give the slug of a lesson or a trigger, not both."),
        (["--command-pattern", "x", "--since", "soon"], 2, "'soon' is not a date"),
        (["--command-pattern", "x", "--match-on", "y"], 2, "invocation"),
        (["other"], 1, 'There is no lesson "other"'),
        (["--unless", "x"], 1, "The trigger is empty: give a pattern or a tool."),
        (["--command-pattern", "("], 1, "triggers.commandPatterns"),
        (["--command-pattern", "(a+)+$"], 1, "more than 50 ms"),
    ],
)
def test_what_is_refused(arguments: list[str], code: int, sentence: str, filled: CommandLine) -> None:
    assert sentence in " ".join(filled.refused("backtest", *arguments, code=code).split())


def test_without_a_history(home: DataHome, lessons: CommandLine) -> None:
    home.publish(STAT)
    assert "run `lessons scan` first" in lessons.refused("backtest", "no-stat")


@pytest.mark.parametrize(
    ("arguments", "hits"),
    [
        (["--command-pattern", "nowhere"], 0),
        (["--command-pattern", "gh pr", "--unless", "--stat"], 0),
        (["--command-pattern", "gh pr", "--tool", "Write"], 0),
        (["--command-pattern", "--stat", "--match-on", "invocation"], 0),
        (["--command-pattern", "gh pr", "--project", "/home/other"], 0),
        (["--command-pattern", "gh pr", "--project", "/home/somebody"], 3),
        (["--command-pattern", "gh pr", "--since", "2026-09-10"], 1),
        (["--command-pattern", "gh pr", "--command-pattern", "^ls"], 4),
        (["--path-pattern", "**/*.py"], 1),
        (["--content-pattern", "x{80}"], 1),
        (["--error-pattern", "unknown flag"], 2),
        (["--tool", "Write"], 1),
        (["no-stat"], 3),
    ],
)
def test_hits(arguments: list[str], hits: int, filled: CommandLine) -> None:
    assert filled.json("backtest", *arguments)["hits"] == hits


def test_the_report_as_json(filled: CommandLine) -> None:
    report = filled.json("backtest", "no-stat")
    assert list(report) == KEYS
    assert [report[key] for key in KEYS[:7]] == [3, 3, 1, 2, 0, 1, 0]
    assert report["precision"] == {"value": 0.5, "low": 0.0945, "high": 0.9055}  # the session it was born in is out
    assert list(report["examples"]) == ["failed", "ok"]
    assert list(report["examples"]["failed"][0]) == EXAMPLE_KEYS


def test_in_a_pipe(filled: CommandLine) -> None:
    bar, sentence, *examples = filled.ok("backtest", "no-stat").splitlines()
    assert set(bar) == set("█░")
    assert sentence == (
        "Would have fired 3 times in 3 sessions: 2 failed with the same error, 1 succeeded;"
        " precision 0.50 (0.09–0.91) over 2 calls outside its source sessions; fires in about 1 session a week."
    )
    assert examples[:5] == ["", "Failed", "  2026-09-20 08:00 shop s2", f"    {LINE} �[2J", "    unknown flag: --stat"]
    assert "  2026-09-01 08:00 shop s3 looks like a failure" in examples


def test_on_a_terminal(filled: CommandLine) -> None:
    lines = filled.screen("backtest", "no-stat")
    assert widest(lines) <= COLUMNS
    assert lines[0] == "█" * 27 + "░" * 13
    assert any(line.endswith("…") for line in lines)
    assert filled.screen("backtest", "--command-pattern", "nowhere") == ["Would not have fired on any call."]


def test_it_says_the_same_as_the_review_of_the_candidate(lessons: CommandLine) -> None:
    write_mistakes(projects(lessons), 6)
    other = mistake("other", 40)
    other.result(other.call("Bash", {"command": "gh pr list --stat"}), UNKNOWN, error=True)
    other.write(projects(lessons))
    lessons.ok("scan")
    lessons.ok("candidates", "--all")
    [promoted] = lessons.json("promote", "1", "--yes", "--error-pattern", "unknown flag")["promoted"]
    assert promoted["lesson"]["triggers"]["errorPatterns"]
    assert lessons.json("backtest", promoted["lesson"]["slug"]) == promoted["backtest"]
