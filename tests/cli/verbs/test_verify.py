"""`lessons verify`: one line for each problem, an exit code for CI, and the hook that pre-commit is offered."""

import json
import re
import shlex
from pathlib import Path

import pytest

from lessons.cli.main import VERBS
from tests.builders.shared import Project, hinting, shared
from tests.cli.command_line import CommandLine

OFFERED = Path(__file__).parents[3] / ".pre-commit-hooks.yaml"


@pytest.fixture
def project(lessons: CommandLine) -> Project:
    lessons.work.rmdir()
    return Project(lessons.work, shared(), hinting())


def test_where_there_is_nothing_that_is_an_error(lessons: CommandLine) -> None:
    assert "There is no " in lessons.refused("verify")
    assert "No " in lessons.refused("verify", "nowhere.json")


def test_each_problem_is_a_line(lessons: CommandLine, project: Project) -> None:
    (project.folder / "bad.json").write_text("{\n")
    project.write(hinting("twice"), "a.json")
    project.write(shared("slow", triggers={"commandPatterns": ["^(a+)+$"]}))
    ended = lessons("verify")
    assert (ended.code, ended.error) == (1, "")
    assert [line.split(": ")[0] for line in ended.out.splitlines()] == [
        ".lessons/bad.json",
        ".lessons/slow.json",
        ".lessons/use-pnpm.json",
    ]
    document = json.loads(lessons("verify", "--json").out)
    assert (document["ok"], document["files"], len(document["problems"])) == (False, 5, 3)


def test_what_is_in_order_needs_no_data_home(lessons: CommandLine, project: Project) -> None:
    lessons.home.rmdir()
    assert lessons.ok("verify") == "2 lessons are valid.\n"
    assert lessons.ok("verify", ".lessons/use-pnpm.json") == "1 lesson is valid.\n"
    assert lessons.json("verify", project.path) == {"ok": True, "files": 2, "problems": []}
    assert not lessons.home.exists()


def hook() -> dict[str, str]:
    """The first hook of the file; plain values are all that it has."""
    first = OFFERED.read_text(encoding="utf-8").split("\n- id:")[0]
    lines = first.splitlines()
    assert lines[0] == "- id: lessons-verify"
    return dict(re.fullmatch(r"[- ] (\w+): (.*)", line).groups() for line in lines)  # type: ignore[union-attr,misc]


def test_the_hook_for_pre_commit_runs_the_verb_in_the_repository(lessons: CommandLine, project: Project) -> None:
    """As pre-commit does: the entry from the root, without names, when a file that changed is meant."""
    offered = hook()
    assert (offered["language"], offered["pass_filenames"]) == ("python", "false")
    assert re.search(offered["files"], ".lessons/use-pnpm.json")
    assert not re.search(offered["files"], "src/lessons/use-pnpm.json")
    program, verb = entry = shlex.split(offered["entry"])
    assert program == "lessons"
    assert verb in VERBS
    assert lessons.run(entry).code == 0
    (project.folder / "use-pnpm.json").write_text("{")
    assert lessons.run(entry).code == 1
