"""`lessons try`: exactly what the hook would do, without its doing anything."""

import json
from pathlib import Path

import pytest

from tests.builders.home import DataHome
from tests.builders.lessons import blocking, lesson, stopping
from tests.builders.payloads import bash
from tests.cli.command_line import CommandLine

RECORDS = (
    lesson(),
    blocking(),
    stopping(),
    lesson("in-shadow", stage="shadow", triggers={"commandPatterns": ["npm install"]}),
    lesson("lock-files", triggers={"pathPatterns": ["**/*.lock"]}),
    lesson("no-prints", triggers={"pathPatterns": ["src/**"], "contentPatterns": ["print\\("]}),
    lesson("port-in-use", triggers={"errorPatterns": ["EADDRINUSE"]}),
    lesson("in-the-shop", scope={"type": "project", "path": "/shop"}, triggers={"commandPatterns": ["make"]}),
)


@pytest.fixture
def ready(home: DataHome) -> DataHome:
    home.publish(*RECORDS)
    return home


def left(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


@pytest.mark.parametrize("arguments", [[], ["--json"], ["git stash", "more"], ["--nope", "git"]])
def test_without_a_call_it_is_usage(arguments: list[str], lessons: CommandLine) -> None:
    assert "Usage: lessons try" in lessons.refused("try", *arguments, code=2)


@pytest.mark.parametrize(
    ("arguments", "decision", "why"),
    [
        (["git status"], "none", {}),
        (["make"], "none", {}),
        (["git stash"], "hint", {"stash-leaves-files": "commandPatterns[0]"}),
        (["git reset --hard"], "stop", {"think-before-reset": "commandPatterns[0]"}),
        (["git push x --force"], "block", {"no-force-push": "commandPatterns[0]"}),
        (["npm install"], "shadow", {"in-shadow": "commandPatterns[0]"}),
        (["make", "--cwd", "/shop/web"], "hint", {"in-the-shop": "commandPatterns[0]"}),
        (["--tool", "Edit", "--path", "poetry.lock"], "hint", {"lock-files": "pathPatterns[0]"}),
        (
            ["--tool", "Write", "--path", "src/a.py", "--content", "print(1)"],
            "hint",
            {"no-prints": "contentPatterns[0]"},
        ),
        (["git", "stash"], "hint", {"stash-leaves-files": "commandPatterns[0]"}),
        (["--cwd", "/shop", "git", "push", "x", "--force"], "block", {"no-force-push": "commandPatterns[0]"}),
        (["git", "push", "x", "--cwd", "/shop", "--force"], "block", {"no-force-push": "commandPatterns[0]"}),
        (["make", "-lh", "--cwd=/shop"], "hint", {"in-the-shop": "commandPatterns[0]"}),
        (["git", "commit", "-m", "git push --force"], "none", {}),
        (["npm start", "--error", "listen EADDRINUSE"], "hint", {"port-in-use": "errorPatterns[0]"}),
    ],
)
def test_the_decision_and_what_led_to_it(
    arguments: list[str], decision: str, why: dict[str, str], ready: DataHome, lessons: CommandLine
) -> None:
    before = left(ready.folder)
    document = lessons.json("try", *arguments)
    assert document.keys() == {"decision", "lessons", "muted", "output", "nearMisses", "memory"}
    assert document["decision"] == decision
    assert {each["slug"]: each["why"] for each in document["lessons"]} == why
    assert bool(document["output"]) == (decision in ("hint", "stop", "block"))
    assert (left(ready.folder), left(ready.temporary)) == (before, [])


def test_after_two_dashes_every_word_belongs_to_the_command(ready: DataHome, lessons: CommandLine) -> None:
    found = lessons("try", "--json", "--", "git", "push", "--json", "--force")
    assert json.loads(found.out)["decision"] == "block"


@pytest.mark.parametrize(
    "command", ["git stash", "git reset --hard", "git push --force 'ü' \"$&\"", "npm install", "ls"]
)
def test_the_output_is_what_the_hook_prints(command: str, ready: DataHome, lessons: CommandLine) -> None:
    payload = bash(command, cwd=str(lessons.work))
    assert lessons.json("try", command)["output"] == lessons.ok("hook", "PreToolUse", text=json.dumps(payload))


def test_in_shadow_it_tells_what_it_would_say(ready: DataHome, lessons: CommandLine) -> None:
    first, second, *text = lessons.ok("try", "npm install").splitlines()
    assert first == "The match is only logged: in-shadow is in shadow."
    assert second.startswith("After `lessons edit in-shadow --stage active`: The call runs,")
    assert any("A lesson named in-shadow for the tests" in line for line in text)


@pytest.mark.parametrize(
    ("arguments", "slug", "condition"),
    [
        (["ls"], None, None),
        (["make"], "in-the-shop", "scope"),
        (["echo git push --force"], "no-force-push", "matchOn"),
    ],
)
def test_near_misses(
    arguments: list[str], slug: str | None, condition: str | None, ready: DataHome, lessons: CommandLine
) -> None:
    near = lessons.json("try", *arguments)["nearMisses"]
    assert [(each["slug"], each["condition"]) for each in near][:1] == ([(slug, condition)] if slug else [])
    said = lessons.ok("try", *arguments).splitlines()
    assert said[1:] == [f"Near miss: {each['slug']}: {each['detail']}" for each in near]


def test_what_is_not_built_yet_is_told(ready: DataHome, lessons: CommandLine) -> None:
    ready.write(*RECORDS, lesson("new", triggers={"commandPatterns": ["ls"]}))
    ended = lessons("try", "ls", "--json")
    assert json.loads(ended.out)["decision"] == "none"
    assert ended.error.endswith("has changed. Run `lessons build`.\n")
    (ready.folder / "lesson-manifest.json").unlink()
    assert "missing, so no lesson fires." in lessons("try", "ls").error
    (ready.folder / "lessons.json").unlink()
    assert lessons("try", "ls").error == "warning: No lessons yet. Run `lessons init`.\n"
    said = lessons("doctor").out
    assert "manifest: not built, because there are no lessons yet.\n      → Run `lessons init`." in said
    assert "lessons build" not in said and "hook index" not in said
