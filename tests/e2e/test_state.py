"""Lessons with conditions on the machine's state, in a real project: caught at the call, quiet if the path exists."""

import pytest

from tests.builders.lessons import lesson
from tests.builders.project_tree import make_tree
from tests.e2e.rig.script import agent, bash, say, together
from tests.e2e.rig.world import World

CD = "cd-below-the-folder-of-an-earlier-cd"
PATH = "relative-path-below-the-folder-of-an-earlier-cd"
ZORK = lesson(
    "no-zork",
    solution="There is no zork here: use the long form in its place.",
    triggers={"commandPatterns": ["zork(?: |$)"], "when": {"missing": ["zork"]}},
)


@pytest.fixture
def shop(installed: World) -> World:
    """The whole starter pack, a lesson about a program that nobody has, and a repository to work in."""
    make_tree(installed.project)
    installed.lessons("add", "--starter", "--yes")
    installed.add(ZORK)
    return installed


def test_calls_that_work_are_left_alone(shop: World) -> None:
    lines = [
        "cd web && cat README.md", "cat src/app.ts", "ls ../api", "cd src", "cat app.ts", "cat ../../README.md",
        "cd ../.. && make test", "cat api/main.py", "cd web/web", "cat inner.txt", "mkdir -p new && cd new && pwd",
    ]  # fmt: skip

    talk = shop.run("Begin.", [*(bash(line) for line in lines), say("Done.")])

    assert [result.text for result in talk.results().values() if result.is_error] == []
    assert shop.injections() == []
    assert shop.faults() == ""


def test_folder_the_shell_is_already_in(shop: World) -> None:
    talk = shop.run("Begin.", [bash("cd api"), bash("cd api && python3 main.py", "again"), say("Done.")])

    told = talk.results()["again"]
    assert told.is_error
    assert f"The shell is still in `{shop.project}/api`" in told.text
    assert f"`{shop.project}/api/api`" not in told.text
    assert f"`{shop.project}/api` exists" in told.text
    assert [(event["slug"], event["decision"]) for event in shop.log()] == [(CD, "stop")]


def test_path_of_the_root_from_a_sub_folder(shop: World) -> None:
    talk = shop.run(
        "Begin.",
        [bash("cd web/src"), bash("sed -n 1,5p docs/guide.md", "wrong"), bash("cat app.ts", "right"), say("Done.")],
    )

    assert f"It is `{shop.project}/docs/guide.md`" in talk.results()["wrong"].text
    assert "total" in talk.results()["right"].text
    assert [event["slug"] for event in shop.log()] == [PATH]


def test_missing_program(shop: World) -> None:
    programs = shop.home / "bin"
    programs.mkdir()
    (programs / "zork").write_text("#!/bin/sh\necho here\n")
    (programs / "zork").chmod(0o755)

    missing = shop.run("Begin.", [bash("zork --now || true"), bash("zork --now; true", "missing"), say("Done.")])
    path = {"PATH": f"{programs}:{shop.environment()['PATH']}"}
    there = shop.run("Begin.", [bash("zork --now", "there"), say("Done.")], environment=path)

    # The first one expects to fail, and is not told.
    assert ["There is no zork here" in text for text in missing.said()] == [False, False, True]
    assert "There is no zork here" not in there.everything()
    assert there.results()["there"].text.strip() == "here"


def test_alias_is_on_no_path_and_is_why_such_a_lesson_only_hints(shop: World) -> None:
    (shop.home / ".bashrc").write_text("alias zork='echo here'\n", encoding="utf-8")

    talk = shop.run("Begin.", [bash("zork", "alias"), say("Done.")])

    assert talk.results()["alias"].text.strip() == "here"
    assert [event["decision"] for event in shop.log()] == ["hint"]


def test_calls_at_once_and_subagents(shop: World) -> None:
    helper = [bash("cat docs/guide.md", "helper"), bash("cat ../docs/guide.md", "right"), say("Back to you.")]
    turns = [
        together(bash("cd web", "cd"), bash("cat docs/guide.md", "beside")),
        agent("You are HELPER."),
        bash("cd docs; pwd", "after"),
        say("Done."),
    ]

    talk = shop.run("Begin.", turns, {"HELPER": helper})

    told = talk.results()
    # It runs beside the cd, in the folder of both.
    assert not told["beside"].is_error
    assert f"It is `{shop.project}/docs/guide.md`" in told["helper"].text
    assert not told["right"].is_error
    assert f"`{shop.project}/docs` exists" in told["after"].text
    assert [event["slug"] for event in shop.log()] == [PATH, CD]


def test_resident_server_says_the_same(shop: World) -> None:
    shop.install("--warm")

    talk = shop.run("Begin.", [bash("cd web"), bash("cd api", "wrong"), bash("ls src", "right"), say("Done.")])

    assert f"`{shop.project}/api` exists" in talk.results()["wrong"].text
    assert not talk.results()["right"].is_error
    assert [event["slug"] for event in shop.log()] == [CD]
