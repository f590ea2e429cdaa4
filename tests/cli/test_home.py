"""Where the data lives: made when it is needed, refused where it is relative, read where it cannot be written."""

from collections.abc import Iterator

import pytest

from tests.builders.home import DataHome
from tests.builders.lessons import blocking, lesson
from tests.cli.command_line import CommandLine

WRITING = (
    ["add", "--starter", "--yes"],
    ["mute", "stash"],
    ["config", "set", "minPriority", "2"],
)


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
    lessons.ok("add", "--starter", "--yes", LESSONS_HOME="")
    found = list(lessons.person.rglob("lessons.json"))
    assert [path.parent.name for path in found] == ["lessons"]


def test_a_verb_that_only_looks_makes_no_home(lessons: CommandLine) -> None:
    place = lessons.work / "new" / "data"
    for arguments in (["list"], ["log"], ["config"], ["doctor"], ["install", "--dry-run"], ["try", "ls"]):
        lessons(*arguments, LESSONS_HOME=str(place))
    assert not place.exists()
    assert lessons("add", "--starter", "--yes", LESSONS_HOME=str(place)).code == 0
    assert place.stat().st_mode & 0o777 == 0o700
    assert "lessons build" in (place / "README.txt").read_text(encoding="utf-8")
