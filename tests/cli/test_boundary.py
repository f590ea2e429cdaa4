"""How a verb ends: refused, interrupted, a bug; and where its data is."""

import json
import sys
from collections.abc import Iterator

import pytest

from tests.builders.home import DataHome
from tests.builders.lessons import blocking, lesson
from tests.cli.command_line import CommandLine

# A verb with a fault in it, beside the real ones.
BROKEN = """
import sys, types, click
from lessons.cli import main
broken = types.ModuleType("lessons.cli.broken")
@click.command("broken")
def command():
    {statement}
broken.command = command
sys.modules["lessons.cli.verbs.broken"] = broken
main.VERBS["broken"] = "Fails"
sys.argv = ["lessons", "broken"]
main.main()
"""


def broken(lessons: CommandLine, statement: str) -> tuple[int, str]:
    ended = lessons.run([sys.executable, "-c", BROKEN.format(statement=statement)])
    assert ended.out == ""
    return ended.code, ended.error


def test_a_bug_ends_with_3_and_says_what_to_report(lessons: CommandLine) -> None:
    code, error = broken(lessons, "raise ZeroDivisionError('in a verb')")
    assert code == 3
    assert "ZeroDivisionError: in a verb" in error
    assert error.endswith("This is a bug in lessons. Report the lines above and the command you ran.\n")


def test_an_interruption_ends_with_130(lessons: CommandLine) -> None:
    assert broken(lessons, "raise KeyboardInterrupt") == (130, "Interrupted.\n")


def test_a_file_that_cannot_be_used_is_named(lessons: CommandLine) -> None:
    code, error = broken(lessons, "open('/no/such/file')")
    assert (code, "/no/such/file" in error, "Traceback" in error) == (1, True, False)


def test_text_that_no_terminal_can_show_is_spelled_out(home: DataHome, lessons: CommandLine) -> None:
    home.write(lesson(summary="Half a character \ud83d and nothing after it"))
    assert "\\ud83d" in lessons.ok("list")
    assert lessons.json("list")["lessons"][0]["summary"][17] == "\ud83d"


def test_an_output_without_unicode_gets_escapes(home: DataHome, lessons: CommandLine) -> None:
    home.write(lesson(summary="Grüße an alle, die nur ASCII verstehen"))
    ended = lessons("list", "--json", PYTHONIOENCODING="ascii")
    assert ended.out.isascii()
    assert json.loads(ended.out)["lessons"][0]["summary"].startswith("Grüße")
    ended = lessons("doctor", PYTHONIOENCODING="latin-1")
    assert (ended.code, "\\u2192 Run `lessons build`." in ended.out) == (1, True)


WRITING = (["mute", "stash"], ["config", "set", "minPriority", "2"])


@pytest.fixture
def read_only(home: DataHome) -> Iterator[DataHome]:
    home.publish(lesson(), blocking())
    home.folder.chmod(0o500)
    yield home
    home.folder.chmod(0o700)


@pytest.mark.parametrize("arguments", [["list"], ["doctor"], ["install", "--dry-run"], ["add", "--starter", "--yes"]])
def test_a_relative_home_is_refused(arguments: list[str], lessons: CommandLine) -> None:
    sentence = "LESSONS_HOME is 'somewhere', a relative path: set it to an absolute one.\n"
    assert lessons.refused(*arguments, LESSONS_HOME="somewhere") == sentence
    assert list(lessons.work.iterdir()) == []


def test_a_home_that_cannot_be_made_is_named(lessons: CommandLine) -> None:
    (lessons.work / "file").write_text("")
    place = str(lessons.work / "file" / "data")
    assert str(lessons.work / "file") in lessons.refused("add", "--starter", "--yes", LESSONS_HOME=place)


def test_what_would_be_written_there_is_refused_with_a_sentence(read_only: DataHome, lessons: CommandLine) -> None:
    manifest = read_only.manifest()
    for arguments in WRITING:
        ended = lessons.as_anyone(*arguments)
        assert (ended.code, ended.out) == (1, ""), (arguments, ended)
        assert str(read_only.folder) in ended.error
        assert "Permission denied" in ended.error
        assert "Traceback" not in ended.error
    assert read_only.manifest() == manifest


def test_without_a_variable_it_is_the_place_of_the_platform(lessons: CommandLine) -> None:
    lessons.ok("config", "set", "minPriority", "2", LESSONS_HOME="")
    found = list(lessons.person.rglob("config.json"))
    assert [path.parent.name for path in found] == ["lessons"]


def test_a_verb_that_only_looks_makes_no_home(lessons: CommandLine) -> None:
    place = lessons.work / "new" / "data"
    for arguments in (["list"], ["log"], ["config"], ["doctor"], ["install", "--dry-run"], ["try", "ls"]):
        lessons(*arguments, LESSONS_HOME=str(place))
    assert not place.exists()
    lessons.ok("config", "set", "minPriority", "2", LESSONS_HOME=str(place))
    assert place.stat().st_mode & 0o777 == 0o700
    assert "lessons build" in (place / "README.txt").read_text(encoding="utf-8")
