"""`lessons build`: what is in, what is left out and why; damaged sources leave the last build alone."""

import json

import pytest

from tests.builders.home import DataHome, reason_of
from tests.builders.lessons import blocking, lesson
from tests.builders.payloads import bash
from tests.cli.command_line import CommandLine


@pytest.mark.parametrize(
    ("file", "content"),
    [
        ("lessons.json", "{"),
        ("lessons.json", "[]"),
        ("lessons.json", '{"lessons": {}}'),
        ("config.json", "{,}"),
        ("config.json", '{"minPriority": "high"}'),
    ],
)
def test_a_damaged_source_leaves_the_last_build_acting(
    file: str, content: str, home: DataHome, lessons: CommandLine
) -> None:
    home.publish(blocking())
    before = home.manifest()
    (home.folder / file).write_text(content)
    assert str(home.folder / file) in lessons.refused("build")
    assert (home.folder / file).read_text() == content
    assert home.manifest() == before
    assert reason_of(home.run(bash("git push --force")))


def test_what_is_left_out_is_listed_with_the_reason(home: DataHome, lessons: CommandLine) -> None:
    home.write(
        lesson("good"),
        lesson("waits", needsReview=True),
        lesson("unsure", confidence=0.1),
        lesson("minor", priority=2),
        lesson("done", stage="retired"),
        lesson("slow", triggers={"commandPatterns": ["^(a+)+$"]}),
        lesson("broken", triggers={"commandPatterns": ["("]}),
        lesson("mute", triggers={}),
        {"slug": "no-record"},
        minPriority=3,
    )
    document = lessons.json("build")
    assert document.keys() == {"included", "excluded", "warnings", "generatedAt"}
    assert document["included"] == 1
    reasons = {each["slug"]: each["reason"] for each in document["excluded"]}
    assert reasons.keys() == {"waits", "unsure", "minor", "done", "slow", "broken", "mute", "no-record"}
    assert reasons["unsure"] == "confidence is 0.1, below minConfidence 0.5."
    assert reasons["minor"] == "priority is 2, below minPriority 3."
    assert "needsReview is true" in reasons["waits"]
    assert '"^(a+)+$" is left out' in reasons["slow"]
    assert [entry["slug"] for entry in home.manifest()["lessons"].values()] == ["good"]


def test_in_words(home: DataHome, lessons: CommandLine) -> None:
    home.write(lesson(), blocking(triggers={"commandPatterns": ["--no-verify"]}), lesson("old", stage="retired"))
    ended = lessons("build")
    assert ended.out == "2 lessons compiled for the hook.\nleft out: old: stage is retired.\n"
    assert ended.error == (
        'warning: no-force-push: triggers.commandPatterns "--no-verify" does not begin with a known program or spans'
        " several commands, so it is searched in the whole command line: set triggers.matchOn to keep or change that.\n"
    )
    quiet = lessons("build", "--quiet")
    assert (quiet.code, quiet.out) == (0, "")


def test_without_lessons_it_is_no_error(lessons: CommandLine) -> None:
    assert lessons.ok("build") == "0 lessons compiled for the hook.\n"
    manifest = json.loads((lessons.home / "lesson-manifest.json").read_text(encoding="utf-8"))
    assert (manifest["type"], manifest["version"], manifest["lessons"]) == ("lessons-learned-manifest", 1, {})
