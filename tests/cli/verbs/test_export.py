"""`lessons export`: lessons as files of a project, and nothing where one of them must not leave."""

import json

import pytest

from tests.builders.home import DataHome
from tests.builders.lessons import lesson
from tests.cli.command_line import CommandLine

TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        ([], 2, "Give the target: --project, or --project DIR."),
        (["--project"], 1, "No lesson is for "),
        (["--project", "stash"], 1, "stash is not a folder: write --project . stash."),
        (["--project", ".", "nothing"], 1, 'There is no lesson "nothing"'),
        (["--project", ".", "secret"], 1, "secret: problem seems to contain a secret"),
        (["--project", ".", "stash", "secret"], 1, "secret: problem seems to contain a secret"),
    ],
)
def test_what_is_refused(arguments: list[str], code: int, sentence: str, home: DataHome, lessons: CommandLine) -> None:
    home.write(lesson("stash"), lesson("secret", problem=f"It wants the token {TOKEN} every time."))
    said = lessons.refused("export", *arguments, code=code)
    assert sentence in said
    assert TOKEN not in said
    assert not (lessons.work / ".lessons").exists()


def test_those_of_the_project_and_those_that_are_named(home: DataHome, lessons: CommandLine) -> None:
    (lessons.work / ".git").mkdir()
    (lessons.work / "src").mkdir()
    scope = {"type": "project", "path": str(lessons.work)}
    home.write(lesson("here", scope=scope), lesson("everywhere", problem="Another problem that nobody has met yet."))
    file = lessons.work / ".lessons" / "here.json"
    assert lessons.ok("export", "--project") == f"{file}: written.\n"
    assert lessons.ok("export", "--project", "src") == f"{file}: unchanged.\n"
    document = lessons.json("export", "--project", ".", "everywhere", "here")
    assert [(each["slug"], each["written"]) for each in document["files"]] == [("everywhere", True), ("here", False)]
    assert "scope" not in json.loads(file.read_text(encoding="utf-8"))


def test_a_changed_file_only_by_force(home: DataHome, lessons: CommandLine) -> None:
    home.write(lesson("stash"))
    lessons.ok("export", "--project", ".", "stash")
    file = lessons.work / ".lessons" / "stash.json"
    before = file.read_bytes()
    file.write_bytes(before + b"\n")
    assert "add --force to replace it" in lessons.refused("export", "--project", ".", "stash")
    assert file.read_bytes() == before + b"\n"
    lessons.ok("export", "--project", ".", "stash", "--force")
    assert file.read_bytes() == before
