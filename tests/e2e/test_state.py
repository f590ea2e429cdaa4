"""Lessons with conditions on the machine's state, in a real project: caught at the call, quiet if the path exists."""

import pytest

from tests.builders.lessons import lesson
from tests.builders.project_tree import make_tree
from tests.e2e.rig.script import agent, bash, say, together
from tests.e2e.rig.world import World

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

    project = shop.project
    assert talk.results()["again"].is_error
    told = f"`api` does not exist in {project}/api, where the shell is; it exists in {project}: the shell is already"
    assert told in talk.requests[2].new and told not in talk.requests[1].text
    assert _recalls(shop) == [("hint", "path", f"{project}/api")]


def test_path_of_the_root_from_a_sub_folder(shop: World) -> None:
    talk = shop.run(
        "Begin.",
        [bash("cd web/src"), bash("sed -n 1,5p docs/guide.md", "wrong"), bash("cat app.ts", "right"), say("Done.")],
    )

    project = shop.project
    told = f"`docs/guide.md` does not exist in {project}/web/src, where the shell is; it exists in {project}."
    assert told in talk.requests[2].new
    assert "total" in talk.results()["right"].text
    assert _recalls(shop) == [("hint", "path", f"{project}/web/src")]
    [event] = shop.log()
    assert (event["source"], event["toolUseId"], event["toolUseIds"]) == ("memory", "wrong", [])


def test_switched_off(shop: World) -> None:
    shop.lessons("config", "set", "memory", "false")

    talk = shop.run("Begin.", [bash("cd web"), bash("cat docs/guide.md; true"), say("Done.")])

    assert "it exists in" not in talk.everything() and shop.injections() == []


def _recalls(world: World) -> list[tuple[str, str, str]]:
    return [(event["decision"], event["why"], event["cwd"]) for event in world.injections()]


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
    missing = f"does not exist in {shop.project}/web, where the shell is; it exists in {shop.project}."
    assert told["helper"].is_error and not told["right"].is_error
    assert f"`docs/guide.md` {missing}" in "".join(request.text for request in talk.on("HELPER"))
    assert f"`docs` {missing}" in talk.said()[-1] and f"`docs/guide.md` {missing}" not in talk.said()[-1]
    assert _recalls(shop) == [("hint", "path", f"{shop.project}/web")] * 2
