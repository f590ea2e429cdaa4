"""`trust`, `export` and `import` killed at any storing step: files are complete, and a second run succeeds."""

import json
import random
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest

from lessons.promote.team import verify
from tests.builders.learned import manifest
from tests.builders.lessons import lesson
from tests.builders.shared import Project, hinting, shared
from tests.cli.command_line import CommandLine
from tests.cli.on_terminal import run_on_terminal
from tests.sizes import size

KILLS = size("KILLS", 3)
KILLER = """
import os, signal, sys

left = int(sys.argv.pop(1))
steps = 0

def step(frame, event, argument):
    global steps
    if event in ("call", "c_call") and "/lessons/store/" in frame.f_code.co_filename:
        steps += 1
        if steps == left:
            os.kill(os.getpid(), signal.SIGKILL)

from lessons.cli.main import run
sys.setprofile(step)
code = run(sys.argv[1:])
sys.setprofile(None)
print(steps, file=sys.stderr)
sys.exit(code)
"""


def ended(lessons: CommandLine, at: int, *arguments: str) -> tuple[int, int]:
    """The exit code and the number of steps; 0 never kills."""
    command = [sys.executable, "-c", KILLER, str(at), *arguments]
    done = run_on_terminal(command, lessons.work, lessons.environment(), 60)
    return done.code, int(done.error.split()[-1]) if done.code >= 0 else 0


def moments(lessons: CommandLine, *arguments: str) -> list[int]:
    """Steps at which to kill: some anywhere, and the last ones, where things are put in place."""
    code, steps = ended(lessons, 0, *arguments)
    assert code == 0
    chosen = random.Random(5).sample(range(1, steps), KILLS)
    return sorted({*chosen, *range(max(1, steps - 4), steps)})


@pytest.fixture
def project(lessons: CommandLine) -> Project:
    (lessons.home / "lessons.json").write_text(json.dumps({"lessons": [lesson()]}))
    return Project(lessons.work / "shop", shared(), hinting())


def assert_sound(lessons: CommandLine) -> None:
    assert [each["slug"] for each in json.loads((lessons.home / "lessons.json").read_bytes())["lessons"]] == [
        "stash-leaves-files"
    ]
    for name in ("trusted.json", "lesson-manifest.json", "cross-project-candidates.json"):
        if (lessons.home / name).exists():
            json.loads((lessons.home / name).read_bytes())
    if (lessons.home / "history.db").exists():
        with closing(sqlite3.connect(lessons.home / "history.db")) as connection:
            assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_trust(lessons: CommandLine, project: Project) -> None:
    call = ("trust", project.path, "--yes", "--json")
    for at in moments(lessons, *call):
        for name in ("trusted.json", "lesson-manifest.json", "hook-index", "decisions.jsonl", "slow-patterns.json"):
            (lessons.home / name).unlink(missing_ok=True)
        assert ended(lessons, at, *call)[0] <= 0  # one of the last steps may not come again
        assert_sound(lessons)
        acts = {each["slug"] for each in lessons.json("list")["lessons"]}
        assert acts in ({"stash-leaves-files"}, {"stash-leaves-files", "no-force-push", "use-pnpm"})
        assert lessons.person_json(*call[:-1])["trusted"]
        assert lessons.json("build")["included"] == 3


def test_export(lessons: CommandLine, project: Project) -> None:
    call = ("export", "--project", project.path, "stash", "--json")
    for at in moments(lessons, *call):
        (project.folder / "stash-leaves-files.json").unlink(missing_ok=True)
        assert ended(lessons, at, *call)[0] <= 0  # one of the last steps may not come again
        assert_sound(lessons)
        assert verify([project.path]).problems == []
        lessons.json(*call[:-1])
        assert verify([project.path]) == (3, [])


def test_import(lessons: CommandLine, project: Project, tmp_path: Path) -> None:
    file = manifest(tmp_path / "m.json")
    before = file.read_bytes()
    call = ("import", str(file), "--json")
    for at in moments(lessons, *call):
        others = (lessons.home / name for name in ("cross-project-candidates.json", "slow-patterns.json"))
        for left in (*lessons.home.glob("history.db*"), *others):
            left.unlink(missing_ok=True)
        assert ended(lessons, at, *call)[0] <= 0  # one of the last steps may not come again
        assert_sound(lessons)
        document = lessons.json(*call[:-1])
        assert document["taken"] + document["alreadyThere"] == 3
        assert len(lessons.json("candidates")["candidates"]) == 3
        assert file.read_bytes() == before
