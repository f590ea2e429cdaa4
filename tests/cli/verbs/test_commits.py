"""`lessons commits`: the log of this project alone, filtered, newest last, and nothing that steers a terminal."""

from typing import Any

import msgspec
import pytest

from lessons.session import Commit
from lessons.store.project_state.state_files import commit_log
from lessons.store.project_state.state_paths import state_paths_of
from tests.cli.command_line import COLUMNS, CommandLine, widest


def commit(number: int, session: int | None = None, **fields: Any) -> Commit:
    name = f"{number:x}" * 40
    plain = Commit(
        timestamp=f"2026-10-0{number}T08:00:00Z",
        hash=name,
        short_hash=name[:7],
        message=f"m{number}",
        author="Ada",
        author_date="2026-10-01T08:00:00+00:00",
        branch="main",
        files_changed=1,
        files_list=["a"],
        session=session,
        session_id=f"id-{session}" if session else None,
    )
    return msgspec.structs.replace(plain, **fields)


@pytest.fixture
def lived(lessons: CommandLine) -> CommandLine:
    amended = commit(3, 12, kind="amend", replaces="2" * 40, message="x\x1b[2Jy\nz", branch="topic")
    place = state_paths_of(str(lessons.home), str(lessons.work))
    commit_log.add(place, [commit(1), commit(2, 12), amended, commit(4, 1)])
    return lessons


def test_nothing_yet(lessons: CommandLine) -> None:
    ended = lessons("commits")
    assert (ended.code, ended.out) == (0, "")
    assert ended.error.startswith("No commits logged for this project yet")
    assert lessons.json("commits") == {"commits": []}
    assert "--last" in lessons.refused("commits", "--last", "0", code=2)


def test_another_project_has_its_own(lived: CommandLine) -> None:
    (lived.work / ".git").mkdir()
    (lived.work / "deep").mkdir()
    assert len(lived.json("commits")["commits"]) == 4
    lived.work = lived.work / "deep"
    assert len(lived.json("commits")["commits"]) == 4
    (lived.work / ".git").mkdir()
    assert lived.json("commits") == {"commits": []}


@pytest.mark.parametrize(
    ("arguments", "messages"),
    [
        (["--session", "1"], ["m4"]),
        (["--session", "12"], ["m2", "x\x1b[2Jy\nz"]),
        (["--session", "id-12"], ["m2", "x\x1b[2Jy\nz"]),
        (["--last", "1"], ["m4"]),
        (["--session", "12", "--last", "1"], ["x\x1b[2Jy\nz"]),
        ([], ["m1", "m2", "x\x1b[2Jy\nz", "m4"]),
    ],
)
def test_filters(arguments: list[str], messages: list[str], lived: CommandLine) -> None:
    assert [one["message"] for one in lived.json("commits", *arguments)["commits"]] == messages


def test_the_fields_are_those_of_the_file(lived: CommandLine) -> None:
    first = lived.json("commits")["commits"][0]
    names = "timestamp hash shortHash message author authorDate branch filesChanged filesList session".split()
    assert set(names) <= first.keys()


def test_in_a_pipe_and_on_a_terminal(lived: CommandLine) -> None:
    rows = [line.split("\t") for line in lived.ok("commits").splitlines()]
    assert rows[0] == ["2026-10-01 08:00:00", "1111111", "commit", "", "main", "1", "m1"]
    assert rows[2][1:] == ["3333333", "amend of 2222222", "12", "topic", "1", "x�[2Jy z"]
    lines = lived.screen("commits")
    assert lines[0].split()[:3] == ["time", "commit", "kind"]
    assert widest(lines) <= COLUMNS
    assert "No session '9' of " in lived.refused("commits", "--session", "9")
