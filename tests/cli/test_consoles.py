"""Consoles that know few characters: no verb dies of one that it cannot print, and JSON stays JSON."""

import json
import subprocess

import pytest

from lessons.cli import render
from tests.builders.lessons import lesson
from tests.cli import in_process
from tests.cli.command_line import LESSONS, SECONDS, CommandLine
from tests.cli.transcripts import projects, shop_session

SUMMARY = "Two → three × four … “five” ● 写"
# As Windows consoles of the West, and as a pipe of a system that was told nothing.
CONSOLES = ("cp1252", "cp437", "ascii")
VERBS: list[list[str]] = [
    ["--help"],
    ["--version"],
    ["nonsense→"],
    ["list"],
    ["list", "--help"],
    ["show", "arrows"],
    ["show", "→"],
    ["candidates", "--all"],
    ["scan"],
    ["search", "sell"],
    ["try", "git stash → x"],
    ["log"],
    ["config"],
    ["doctor"],
    ["demo"],
    ["review"],
    ["backtest", "arrows"],
]
DOCUMENTS: list[list[str]] = [
    ["list", "--json"],
    ["show", "arrows", "--json"],
    ["candidates", "--all", "--json"],
    ["search", "sell", "--json"],
    ["try", "git stash", "--json"],
    ["doctor", "--json"],
    ["config", "--json"],
]


@pytest.fixture(scope="module")
def lessons(tmp_path_factory: pytest.TempPathFactory) -> CommandLine:
    """A home with a lesson and a candidate whose words no such console knows."""
    line = CommandLine(tmp_path_factory.mktemp("consoles"))
    line.ok("add", "--from", "-", "--json", text=json.dumps(lesson("arrows", summary=SUMMARY)))
    session = shop_session()
    session.prompt("sell → something “else” ● 写")
    session.say("#lesson\nproblem: The till → has no rule ● 写.\nsolution: Write “one” …\n#/lesson")
    session.write(projects(line))
    line.ok("scan")
    return line


def run(lessons: CommandLine, arguments: list[str], console: str) -> in_process.Done:
    return in_process.run(arguments, None, lessons.work, lessons.environment(PYTHONIOENCODING=console))


@pytest.mark.parametrize("console", CONSOLES)
@pytest.mark.parametrize("arguments", VERBS, ids=" ".join)
def test_no_verb_dies_of_a_character(lessons: CommandLine, arguments: list[str], console: str) -> None:
    done = run(lessons, arguments, console)
    assert done.returncode in (0, 1, 2), done.stderr
    assert b"Traceback" not in done.stderr
    assert b"Unicode" not in done.stderr
    assert done.stdout or done.stderr


@pytest.mark.parametrize("console", CONSOLES)
@pytest.mark.parametrize("arguments", DOCUMENTS, ids=" ".join)
def test_json_is_whole_and_plain(lessons: CommandLine, arguments: list[str], console: str) -> None:
    done = run(lessons, arguments, console)
    document = json.loads(done.stdout.decode("ascii"))
    if arguments[0] == "show":
        assert document["summary"] == SUMMARY


@pytest.mark.parametrize("arguments", [["show", "→"], ["try", "git stash → x"], ["doctor", "--json"]], ids=" ".join)
def test_a_locale_without_unicode_is_no_fault(lessons: CommandLine, arguments: list[str]) -> None:
    variables = {"PYTHONUTF8": "0", "LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONIOENCODING": "latin-1"}
    environment = lessons.environment(**variables)
    command = [LESSONS, *arguments]
    done = subprocess.run(command, capture_output=True, cwd=lessons.work, env=environment, timeout=SECONDS)
    assert done.returncode in (0, 1)
    assert b"Traceback" not in done.stderr
    assert b"Unicode" not in done.stderr
    assert done.stdout or done.stderr


def test_only_what_cannot_be_encoded_is_spelled_out() -> None:
    fault = UnicodeEncodeError("cp1252", "a → b", 2, 3, "no such character")
    assert render.spelled_out(fault) == ("->", 3)
    assert render.spelled_out(UnicodeEncodeError("utf-8", "\ud800", 0, 1, "surrogate")) == ("\\ud800", 1)
    with pytest.raises(UnicodeDecodeError):
        render.spelled_out(UnicodeDecodeError("utf-8", b"\xff", 0, 1, "damaged"))
