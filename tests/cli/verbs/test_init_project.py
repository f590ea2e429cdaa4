"""`lessons init --project`, and what the first screen of `lessons init` waits for."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from lessons.store.state_files import handoffs
from lessons.store.state_paths import state_paths_of
from tests.cli.command_line import CommandLine
from tests.store.state_writers import Act, perform


@pytest.fixture
def repository(lessons: CommandLine) -> Path:
    subprocess.run(["git", "init", "--quiet", lessons.work], check=True)
    return lessons.work


def test_it_stands_alone(lessons: CommandLine) -> None:
    for other in (["--yes"], ["--path", "x"], ["--no-install"]):
        assert "--project cannot be combined" in lessons.refused("init", "--project", *other, code=2)


def test_a_link_is_refused_in_a_sentence(lessons: CommandLine, repository: Path, tmp_path: Path) -> None:
    (repository / ".claude").symlink_to(tmp_path)
    said = lessons.refused("init", "--project")
    assert said == (
        f"{repository}/.claude is a link, and state is only kept in plain folders of the project: put one there.\n"
    )
    assert not (lessons.home / "projects").exists()


def test_nothing_else_is_done(lessons: CommandLine, repository: Path) -> None:
    lessons.ok("init", "--project")
    assert sorted(path.name for path in lessons.home.iterdir()) == ["README.txt", "projects"]
    assert not lessons.settings.exists()


def test_it_says_what_it_did_and_how_to_undo_it(lessons: CommandLine, repository: Path) -> None:
    home, cwd = str(lessons.home), str(repository)
    perform(state_paths_of(home, cwd), Act("handoff", "one", 1))
    said = lessons.ok("init", "--project")
    assert f"{repository} is set up" in said
    assert "Moved 2 files there" in said
    assert ".gitignore has 11 new lines" in said
    place = state_paths_of(home, cwd)
    assert place.in_project and handoffs.read_of(place, "one") is not None
    mark = Path(said.rpartition("delete ")[2].strip().removesuffix("."))
    assert json.loads(mark.read_text()) == {"root": cwd, "setUp": True}
    mark.unlink()
    assert not state_paths_of(home, cwd).in_project


def test_again_and_as_json(lessons: CommandLine, repository: Path) -> None:
    first, second = lessons.json("init", "--project"), lessons.json("init", "--project")
    assert (first["root"], first["state"]) == (str(repository), f"{repository}/.claude/state")
    assert (first["already"], len(first["ignored"])) == (False, 11)
    assert second == {**first, "already": True, "ignored": []}
    assert "was already set up" in lessons.ok("init", "--project")


LATER = (
    "lessons.prove.tend",
    "lessons.replay.report",
    "lessons.promote.proposals",
)
LOADED = f"""
import sys
import lessons.cli.verbs.init
from lessons.prove import update
print(*(name for name in {LATER!r} if name in sys.modules))
"""


def test_what_the_end_needs_is_not_loaded() -> None:
    found = subprocess.run([sys.executable, "-c", LOADED], check=True, capture_output=True, text=True)
    assert found.stdout.split() == []
