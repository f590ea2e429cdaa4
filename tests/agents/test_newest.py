"""Finds the newest transcript of a project, and none of another project with a similar folder name."""

import os
from pathlib import Path

import pytest

from lessons.agents.claude_code import places
from lessons.agents.newest import newest_of, transcript_of
from lessons.agents.opencode import places as opencode_places
from lessons.agents.table import DEFAULT_AGENT as AGENT
from tests.builders.opencode_store import Database, words
from tests.builders.transcript import Session


@pytest.fixture
def projects() -> Path:
    return Path(places.roots()[0])


def left(projects: Path, name: str, cwd: str, age: int) -> str:
    session = Session(name, cwd=cwd)
    session.prompt("hello")
    path = session.write(projects)
    os.utime(path, (1_000_000 - age, 1_000_000 - age))
    return str(path)


def newest_path(root: str) -> str | None:
    found = newest_of([AGENT], root)
    return found[1] if found else None


def test_there_is_none(projects: Path) -> None:
    assert newest_path("/home/ada/shop") is None
    left(projects, "other", "/home/ada/other", 0)
    left(projects, "same name", "/home/ada/shop-old", 0)
    left(projects, "dash", "/home/ada-shop", 0)
    assert newest_path("/home/ada/shop") is None
    assert transcript_of(AGENT, "nobody") is None


def test_the_newest_of_the_project_and_of_its_folders(projects: Path) -> None:
    left(projects, "old", "/home/ada/shop", 50)
    below = left(projects, "below", "/home/ada/shop/src", 20)
    left(projects, "other", "/home/ada/shop-old", 1)
    assert newest_path("/home/ada/shop") == below
    newest = left(projects, "new", "/home/ada/shop", 10)
    assert newest_path("/home/ada/shop") == newest
    assert transcript_of(AGENT, Session("below").id) == below


def test_subagents_and_damaged_files_are_passed_over(projects: Path) -> None:
    path = left(projects, "old", "/home/ada/shop", 50)
    folder = Path(path).parent
    (folder / "agent-a1.jsonl").write_bytes(Path(path).read_bytes())
    (folder / "broken.jsonl").write_bytes(b"\xff\0{")
    (folder / "empty.jsonl").write_bytes(b"")
    (folder / "gone.jsonl").symlink_to(folder / "nowhere")
    assert newest_path("/home/ada/shop") == path


def test_of_two_agents_the_newest_wins_also_where_a_session_is_no_file(projects: Path) -> None:
    lines = left(projects, "old", "/home/ada/shop", 50)
    database = Path(opencode_places.roots()[0]) / "opencode.db"
    database.parent.mkdir(parents=True)
    stored = Database(database)
    stored.session("ses_1", "/home/ada/shop")
    stored.said("ses_1", words("hello"))
    stored.close()
    both = (AGENT, "opencode")
    assert newest_of(both, "/home/ada/shop") == ("opencode", f"{database}#ses_1")
    os.utime(lines, (10**10, 10**10))
    assert newest_of(both, "/home/ada/shop") == (AGENT, lines)
