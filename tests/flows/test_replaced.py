"""A file replaced by another: known data stays, and the new text is read as a new file."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.builders.transcript import Session
from tests.flows.eventful import working_day
from tests.flows.scanning import scan


def another(size: int) -> bytes:
    """A shorter session, filled up to the size."""
    session = Session("another")
    session.result(session.call("Bash", {"command": "ls"}), "Exit code 1\nno", error=True)
    text = session.data()
    return text + b" " * (size - len(text) - 1) + b"\n"


def stored(home: Path, query: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(home / "history.db")) as connection:
        return connection.execute(query).fetchall()


SAME = "a file of the same size, and every file of a --full scan, is read into the segments of the one before it"
WAYS = [
    pytest.param(-1, False, id="shorter"),
    pytest.param(+1, False, id="longer"),
    pytest.param(0, False, id="as long"),
    pytest.param(+1, True, id="longer, read in full"),
]


@pytest.mark.parametrize(("longer", "full"), WAYS)
def test_it_is_another_generation(tmp_path: Path, longer: int, full: bool) -> None:
    before = working_day("before")
    before.subagents.clear()
    path = before.write(tmp_path / "root")
    home = tmp_path / "home"
    calls = scan(home, tmp_path / "root").calls["total"]
    path.write_bytes(another(path.stat().st_size + longer))
    assert scan(home, tmp_path / "root", full=full).calls["failed"] == 1

    assert stored(home, "SELECT count(*) FROM calls") == [(calls + 1,)]
    assert stored(home, "SELECT generation FROM sources ORDER BY generation") == [(0,), (1,)]
    of_the_new = "SELECT number, start, sealed FROM segments g JOIN sources s ON s.id = source_id WHERE generation = 1"
    assert stored(home, of_the_new) == [(0, 0, 0)]


def test_only_touched_it_is_no_other(tmp_path: Path) -> None:
    path = working_day("before").write(tmp_path / "root")
    home = tmp_path / "home"
    scan(home, tmp_path / "root")
    before = stored(home, "SELECT path, generation, offset, records FROM sources ORDER BY path")
    path.touch()
    scan(home, tmp_path / "root")
    assert stored(home, "SELECT path, generation, offset, records FROM sources ORDER BY path") == before
