"""What is forgotten or excluded stays out of the history, whichever agent tells it and however often it is read."""

import json
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from lessons.scan.discover import Root
from lessons.store.consent import digest
from lessons.store.forget import forget, survey
from lessons.store.forget_scope import ForgetScope
from lessons.watch.tick import Limits, tick
from tests.builders.every_agent import TELLERS, Story
from tests.builders.rollout import Rollout
from tests.builders.transcript import Session
from tests.conftest import SetVariable
from tests.flows.scanning import scan
from tests.store.forgettable import files_with

GONE = Story("saffron", "/home/somebody/saffron-house")
KEPT = Story("thyme", "/home/somebody/thyme-house")
QUESTION = Story("saffron", "/tmp/lessons-learn-a1b2c3d4.tmp")
ROWS = (
    "SELECT 'call', agent, session_id, project, cwd, command, outcome FROM calls",
    "SELECT 'prompt', agent, session_id, project, '', text, '' FROM prompts",
    "SELECT 'remark', agent, session_id, project, '', text, '' FROM diagnoses",
    "SELECT 'session', agent, session_id, project, '', '', '' FROM sessions",
)
Rows = list[tuple[object, ...]]
Move = Callable[[Path, list[str]], None]

every_agent = pytest.mark.parametrize("agent", TELLERS)
pytestmark = pytest.mark.usefixtures("with_toy")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "transcripts"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


def select(home: Path, sql: str) -> Rows:
    with closing(sqlite3.connect(home / "history.db")) as connection:
        return connection.execute(sql).fetchall()


def rows(home: Path) -> Rows:
    return sorted(select(home, " UNION ALL ".join(ROWS)), key=repr)


def forgettable(home: Path, root: Path, agent: str, scope: str) -> tuple[ForgetScope, list[str], list[str]]:
    """Two sessions, scanned; then what to forget, the texts that belong to it, and those that do not."""
    session = TELLERS[agent](root, GONE)
    TELLERS[agent](root, KEPT)
    scan(home, root, agent=agent)
    if scope == "before":
        [(first,)] = select(home, "SELECT min(time) FROM calls WHERE command LIKE '%-late%'")
        if prompts := select(home, "SELECT time FROM prompts WHERE text LIKE '%-late%'"):
            first = min(str(first), *(str(row[0]) for row in prompts))
        gone, kept = (list(marks) for marks in zip(GONE.marks, KEPT.marks, strict=True))
        return ForgetScope(before=str(first)), gone, kept
    named = ForgetScope(session=session) if scope == "session" else ForgetScope(folders=(GONE.folder,))
    return named, [GONE.word, session], KEPT.marks


# Forgetting.


@every_agent
@pytest.mark.parametrize("scope", ["project", "session", "before"])
def test_no_scan_brings_it_back(agent: str, scope: str, home: Path, root: Path) -> None:
    named, gone, kept = forgettable(home, root, agent, scope)
    assert forget(str(home), named)
    left = rows(home)
    for full in (False, True, False):
        scan(home, root, full=full, agent=agent)
        assert rows(home) == left
        assert files_with(home, *gone) == {}
        assert not survey(str(home), named)
    assert set(files_with(home, *kept)["history.db"]) == set(kept)
    assert all(row[3] in (GONE.folder, KEPT.folder) for row in left)


@every_agent
@pytest.mark.parametrize("scope", ["project", "session"])
def test_a_forgotten_session_stays_out_when_its_file_grows(agent: str, scope: str, home: Path, root: Path) -> None:
    session = TELLERS[agent](root, GONE._replace(chapters=1))
    scan(home, root, agent=agent)
    forget(str(home), ForgetScope(session=session) if scope == "session" else ForgetScope(folders=(GONE.folder,)))
    TELLERS[agent](root, GONE)
    for full in (False, True):
        scan(home, root, full=full, agent=agent)
        assert rows(home) == []
        assert files_with(home, GONE.word, session) == {}


@every_agent
def test_later_records_of_a_forgotten_project_have_their_folder(
    agent: str, home: Path, root: Path, tmp_path: Path
) -> None:
    """The first line, which names the folder, is older; what a session does after that is stored as usual."""
    scope, *_ = forgettable(tmp_path / "other", root, agent, "before")
    home.mkdir()
    line = {"time": scope.before, "decision": "forgotten", "project": digest(GONE.folder)}
    (home / "decisions.jsonl").write_text(json.dumps(line) + "\n", encoding="utf-8")
    scan(home, root, agent=agent)
    late = [[row for row in rows(each) if "-late" in str(row)] for each in (tmp_path / "other", home)]
    assert late[0] == late[1] != []
    assert files_with(home, GONE.marks[0]) == {}


# Excluding.


def watched(home: Path, root: Path, agent: str) -> None:
    files = [str(path) for path in root.rglob("*") if path.is_file()]
    tick(str(home), [Root(str(root), (agent,))], files, Limits(), time.time, lambda: False)


def scanned(home: Path, root: Path, agent: str) -> None:
    scan(home, root, agent=agent)


@every_agent
@pytest.mark.parametrize("read", [scanned, watched])
@pytest.mark.parametrize("story", [GONE, QUESTION])
def test_nothing_of_an_excluded_project_or_of_a_question_is_stored(
    story: Story, agent: str, read: Callable[[Path, Path, str], None], home: Path, root: Path, variable: SetVariable
) -> None:
    home.mkdir()
    if story is GONE:
        variable("LESSONS_EXCLUDE_PROJECTS", GONE.folder)
    TELLERS[agent](root, KEPT)
    for chapters in (1, 2):
        session = TELLERS[agent](root, story._replace(chapters=chapters))
        read(home, root, agent)
        assert {row[3] for row in rows(home)} == {KEPT.folder}
        assert files_with(home, GONE.word, session) == {}
    scan(home, root, full=True, agent=agent)
    assert {row[3] for row in rows(home)} == {KEPT.folder}
    assert files_with(home, GONE.word, session) == {}


@every_agent
def test_a_project_that_is_excluded_later_gets_no_more_rows(
    agent: str, home: Path, root: Path, variable: SetVariable
) -> None:
    """Its first line was read by an earlier scan."""
    TELLERS[agent](root, GONE._replace(chapters=1))
    scan(home, root, agent=agent)
    before = rows(home)
    variable("LESSONS_EXCLUDE_PROJECTS", GONE.folder)
    TELLERS[agent](root, GONE)
    for full in (False, True):
        scan(home, root, full=full, agent=agent)
        assert rows(home) == before
        assert files_with(home, GONE.marks[1]) == {}
    variable("LESSONS_EXCLUDE_PROJECTS", None)
    scan(home, root, agent=agent)
    assert "history.db" in files_with(home, GONE.marks[1])


# Sessions that go from one folder to another.


def claude_code(root: Path, folders: list[str]) -> None:
    session = Session("moving", folders[0])
    for number, folder in enumerate(folders):
        session.in_folder(folder).prompt(f"Cook in {folder} {number}.")
        session.queue(f"And wash up in {folder} {number}.")
    session.write(root)


def codex(root: Path, folders: list[str]) -> None:
    session = Rollout("moving", cwd=folders[0])
    for number, folder in enumerate(folders):
        session.add("turn_context", {"turn_id": f"turn {number}", "cwd": folder, "model": "gpt-5.5"})
        session.prompt(f"Cook in {folder} {number}.")
    session.write(root)


def prompts(home: Path) -> Rows:
    return select(home, "SELECT text, project FROM prompts WHERE text LIKE 'Cook%' ORDER BY time")


def way(start: str, length: int) -> list[str]:
    """Returns one folder and the other in turn."""
    other = KEPT.folder if start == GONE.folder else GONE.folder
    return [other if number % 2 else start for number in range(length)]


def kept_of(folders: list[str]) -> Rows:
    told = [(f"Cook in {folder} {number}.", folder) for number, folder in enumerate(folders)]
    return [row for row in told if row[1] == KEPT.folder]


def is_named(move: Move, start: str) -> bool:
    """Whether the files are named after the folder in which the session started."""
    return start == GONE.folder and move is claude_code


every_move = pytest.mark.parametrize("move", [claude_code, codex])
every_start = pytest.mark.parametrize("start", [GONE.folder, KEPT.folder])


@every_move
@every_start
@pytest.mark.parametrize("steps", [1, 5])
def test_only_the_part_in_an_excluded_folder_is_left_out(
    move: Move, start: str, steps: int, home: Path, root: Path, variable: SetVariable
) -> None:
    """Read at once or after each step; a folder that is left again is not remembered."""
    variable("LESSONS_EXCLUDE_PROJECTS", "saffron-house")
    for length in range(6 - steps, 6):
        move(root, way(start, length))
        scan(home, root, agent=move.__name__.replace("_", "-"))
        assert prompts(home) == kept_of(way(start, length))
        assert is_named(move, start) or files_with(home, "saffron") == {}


@every_move
@every_start
@pytest.mark.parametrize("length", [2, 3])
def test_only_the_part_in_a_forgotten_folder_goes(move: Move, start: str, length: int, home: Path, root: Path) -> None:
    agent = move.__name__.replace("_", "-")
    move(root, way(start, length))
    scan(home, root, agent=agent)
    forget(str(home), ForgetScope(folders=(GONE.folder,)))
    for grown, full in ((length, False), (length, True), (5, False), (5, True)):
        assert is_named(move, start) or files_with(home, "saffron") == {}
        move(root, way(start, grown))
        scan(home, root, full=full, agent=agent)
        assert prompts(home) == kept_of(way(start, grown))
    assert is_named(move, start) or files_with(home, "saffron") == {}
