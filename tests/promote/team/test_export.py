"""Lessons written into a project: what must not leave this machine, what is never overwritten, the same bytes."""

import json
import os
from pathlib import Path

import pytest

from lessons.errors import NotFound, Refused
from lessons.promote.starter import pack
from lessons.promote.team import chosen, prepared, verify, write
from lessons.redact.texts import redacted
from lessons.store import lesson_file
from tests.builders.home import DataHome
from tests.builders.lessons import Document, lesson
from tests.builders.shared import Project
from tests.tables import table

TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path / "shop")


def refusal(record: Document, root: str = "/srv/shop") -> str:
    with pytest.raises(Refused) as refused:
        prepared([record], root, redacted)
    return str(refused.value)


@table(
    ("changes", "field"),
    [
        ({"problem": f"It only works after export GITHUB_TOKEN={TOKEN} was typed."}, "problem"),
        ({"injection": f"Use {TOKEN} for it"}, "injection"),
        ({"triggers": {"commandPatterns": [f"curl .*{TOKEN}"]}}, "triggers.commandPatterns"),
        ({"examples": {"fires": [f"git stash # {TOKEN}"]}}, "examples.fires"),
        ({"examples": {"fires": [{"tool": "Bash", "command": f"x {TOKEN}"}]}}, "examples.fires.command"),
        ({"tags": [f"tool:{TOKEN}"]}, "tags"),
    ],
)
def test_a_secret_is_refused_by_the_name_of_its_field(changes: Document, field: str) -> None:
    sentence = refusal(lesson("stash", **changes))
    assert sentence == f"stash: {field} seems to contain a secret: remove it before others read it."
    assert TOKEN not in sentence


@table(
    "text",
    ["/home/kim/notes.txt", "/Users/kim/x", r"C:\Users\kim", "see /srv/shop/src for it", "~/x"],
)
def test_a_place_on_one_machine_is_refused(text: str) -> None:
    text = os.path.expanduser(text)
    sentence = refusal(lesson("stash", problem=f"The file is {text} and nowhere else."))
    assert sentence.startswith("stash: problem has ")
    assert sentence.endswith("a path on one machine: remove it.")


@table(
    ("changes", "sentence"),
    [
        ({"needsReview": True}, "needsReview is true"),
        ({"stage": "retired"}, "`lessons unarchive stash` first"),
    ],
)
def test_what_does_not_act_is_not_shared(changes: Document, sentence: str) -> None:
    assert sentence in refusal(lesson("stash", **changes))


@table("slug", ["../../x", "a/b", ".hidden", "x\x1b", "a" * 300])
def test_a_slug_that_is_no_file_name_is_refused(slug: str) -> None:
    assert "which cannot be the name of a file" in refusal(lesson(slug))


def test_every_reason_is_told_at_once() -> None:
    with pytest.raises(Refused) as refused:
        prepared([lesson("a", problem=f"{TOKEN} {TOKEN}"), lesson("b", needsReview=True)], "/srv/shop", redacted)
    assert [line[:2] for line in str(refused.value).splitlines()] == ["a:", "b:"]


def test_system_places_and_the_starter_pack_are_nobodys() -> None:
    prepared([lesson(problem="It reads /etc/hosts and /dev/null and /tmp/x first.")], "/srv/shop", redacted)
    assert len(prepared([{"id": "x", **each} for each in pack()], "/srv/shop", str)) == len(pack())


def test_a_file_that_says_something_else_is_left_alone(project: Project) -> None:
    file = project.folder / "stash.json"
    file.write_text("{}")
    files = prepared([lesson("another"), lesson("stash")], project.path, redacted)
    with pytest.raises(Refused, match="add --force to replace it"):
        write(files, project.path, force=False)
    assert [path.name for path in project.folder.iterdir()] == ["stash.json"]
    assert file.read_text() == "{}"
    assert [new for _, new in write(files, project.path, force=True)] == [True, True]
    assert [new for _, new in write(files, project.path, force=False)] == [False, False]


def test_nothing_is_written_through_a_link(project: Project, tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("mine")
    (project.folder / "stash.json").symlink_to(tmp_path / "mine")
    files = prepared([lesson("stash")], project.path, redacted)
    with pytest.raises(Refused, match="is not a regular file"):
        write(files, project.path, force=True)
    assert (tmp_path / "mine").read_text() == "mine"
    (project.folder / "stash.json").unlink()
    project.folder.rmdir()
    project.folder.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(Refused, match="is not a regular folder"):
        write(files, project.path, force=True)


def test_what_is_written_is_the_same_every_time_and_nobodys(project: Project) -> None:
    private = {
        "sourceSessionIds": ["s1"],
        "occurrenceCount": 7,
        "createdAt": "2026-01-01T00:00:00Z",
        "updatedAt": "2026-01-02T00:00:00Z",
        "contentHash": "sha256:0",
        "scope": {"type": "project", "path": project.path},
        "evidence": [{"quote": "what was typed"}],
        "retiredFrom": "shadow",
    }
    [first] = prepared([lesson("stash", **private)], project.path, redacted)
    [second] = prepared([lesson("stash", id="another", occurrenceCount=8)], project.path, redacted)
    assert first.content == second.content
    document = json.loads(first.content)
    assert not document.keys() & {"id", "needsReview", *private}
    assert first.content.endswith(b"}\n")
    write([first], project.path, force=False)
    assert verify([project.path]) == (1, [])


def test_which_lessons_are_meant(tmp_path: Path) -> None:
    home, root = DataHome(tmp_path), str(tmp_path / "shop")
    scope = {"type": "project", "path": root}
    gone = lesson("gone", scope=scope, stage="retired")
    home.write(lesson("everywhere"), lesson("here", scope=scope), gone, lesson("there", scope={**scope, "path": "/x"}))
    file = lesson_file.read(home.path)
    assert [record["slug"] for record in chosen(file, root, ())] == ["here"]
    assert [record["slug"] for record in chosen(file, root, ("there", "every", "there"))] == ["there", "everywhere"]
    with pytest.raises(NotFound):
        chosen(file, root, ("nothing",))


def test_examples_of_one_machine_are_left_out() -> None:
    calls = ["cd /Users/mary/shop && git stash", "git stash", {"tool": "Bash", "command": "ls /srv/shop; git stash"}]
    [file] = prepared([lesson("stash", examples={"fires": calls, "quiet": ["git stash list"]})], "/srv/shop", redacted)
    assert json.loads(file.content)["examples"] == {"fires": ["git stash"], "quiet": ["git stash list"]}


def test_lesson_about_this_machine_stays_here() -> None:
    sentence = refusal(lesson("stash", scope={"type": "machine"}))
    assert sentence == "stash: scope.type is machine: it is about this machine and is not exported."


def test_condition_of_a_later_version_is_not_lost_on_the_way() -> None:
    triggers = {"commandPatterns": ["git stash"], "when": {"weather": ["rain"]}}
    assert "triggers.when.weather is an unknown condition" in refusal(lesson("stash", triggers=triggers))
