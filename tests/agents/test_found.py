"""What is found on a machine: the newest transcript of a project and of no other one, the agent around a process."""

import os
from pathlib import Path

import pytest

from lessons.agents.found import newest_of, transcript_of
from lessons.agents.places import transcript_folders
from lessons.agents.table import DEFAULT_AGENT as AGENT
from lessons.started_by import agent_around
from tests.builders.opencode_store import Database, words
from tests.builders.transcript import Session
from tests.tables import table


@pytest.fixture
def projects() -> Path:
    return Path(transcript_folders(AGENT)[0])


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
    database = Path(transcript_folders("opencode")[0]) / "opencode.db"
    database.parent.mkdir(parents=True)
    stored = Database(database)
    stored.session("ses_1", "/home/ada/shop")
    stored.said("ses_1", words("hello"))
    stored.close()
    both = (AGENT, "opencode")
    assert newest_of(both, "/home/ada/shop") == ("opencode", f"{database}#ses_1")
    os.utime(lines, (10**10, 10**10))
    assert newest_of(both, "/home/ada/shop") == (AGENT, lines)


@table(
    "environment",
    [
        {},
        {"CLAUDECODE": ""},
        {"CLAUDECODE": "0"},
        {"OPENCODE": "false"},
        {"CLAUDE_CONFIG_DIR": "/home/somebody/.claude", "CODEX_HOME": "/home/somebody/.codex", "EDITOR": "vi"},
        {"TERM_PROGRAM": "vscode", "CURSOR_TRACE_ID": "x"},
    ],
)
def test_no_agent_is_around(environment: dict[str, str]) -> None:
    assert agent_around(environment) == ""


@table(
    ("name", "agent"),
    [
        ("CLAUDECODE", "Claude Code"),
        ("CODEX_SANDBOX", "Codex"),
        ("CODEX_THREAD_ID", "Codex"),
        ("OPENCODE", "opencode"),
        ("COPILOT_CLI", "Copilot CLI"),
        ("GEMINI_CLI", "Gemini CLI"),
        ("QWEN_CODE", "Qwen Code"),
        ("CURSOR_AGENT", "Cursor"),
        ("AI_AGENT", "an agent"),
    ],
)
def test_the_one_that_set_it(name: str, agent: str) -> None:
    assert agent_around({"PATH": "/bin", name: "1"}) == agent
