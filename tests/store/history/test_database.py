"""Opening the history: only its owner can read it, and what cannot be opened is told in a sentence."""

import os
import sqlite3
import stat
from contextlib import closing
from pathlib import Path

import pytest

from lessons.errors import DamagedFile, NotFound
from lessons.store.history import database
from tests.tables import table


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_nothing_is_made_to_read(tmp_path: Path) -> None:
    sentence = r"There is no history yet \(.*history\.db\): run `lessons scan` first\."
    with pytest.raises(NotFound, match=sentence), database.for_reading(str(tmp_path)):
        pass
    assert list(tmp_path.iterdir()) == []


def test_an_empty_file_is_none(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "history.db")) as connection:
        connection.execute("CREATE TABLE a (b)")
    sentence = r"There is no history yet \(.*history\.db\): run `lessons scan` first\."
    with pytest.raises(NotFound, match=sentence), database.for_reading(str(tmp_path)):
        pass


@table("garbage", [b"no database at all " * 100, b"SQLite format 3\0" + b"\xff" * 4080])
def test_garbage_is_told(tmp_path: Path, garbage: bytes) -> None:
    (tmp_path / "history.db").write_bytes(garbage)
    for way in (database.for_reading, database.opened):
        with pytest.raises(DamagedFile, match=r"history\.db .+ \(.+\): `lessons scan"), way(str(tmp_path)):
            pass
    assert (tmp_path / "history.db").read_bytes() == garbage


def test_only_the_owner_reads_it(tmp_path: Path) -> None:
    home = tmp_path / "home"
    before = os.umask(0)
    try:
        with database.opened(str(home)) as connection:
            connection.execute("INSERT INTO facts VALUES ('a', 'b')")
            assert {path.name: mode(path) for path in home.iterdir()} == {
                "history.db": 0o600,
                "history.db-wal": 0o600,
                "history.db-shm": 0o600,
            }
    finally:
        os.umask(before)
    assert mode(home) == 0o700


def test_it_is_open_as_it_should_be(tmp_path: Path) -> None:
    with database.opened(str(tmp_path)) as connection:
        told = {name: connection.execute(f"PRAGMA {name}").fetchone()[0] for name in PRAGMAS}
        assert told == PRAGMAS


PRAGMAS = {"journal_mode": "wal", "busy_timeout": 10_000, "foreign_keys": 1, "secure_delete": 1, "synchronous": 1}


def test_reading_goes_on_while_someone_writes(tmp_path: Path) -> None:
    with database.opened(str(tmp_path)) as writer:
        writer.execute("BEGIN IMMEDIATE")
        writer.execute("INSERT INTO facts VALUES ('a', 'b')")
        with database.for_reading(str(tmp_path)) as reader:
            assert reader.execute("SELECT count(*) FROM facts").fetchone()[0] == 0
            writer.execute("COMMIT")
            assert reader.execute("SELECT count(*) FROM facts").fetchone()[0] == 1


def test_readers_cannot_write(tmp_path: Path) -> None:
    with database.opened(str(tmp_path)):
        pass
    with database.for_reading(str(tmp_path)) as reader, pytest.raises(sqlite3.OperationalError, match="readonly"):
        reader.execute("DELETE FROM calls")


@table("name", ["a?b", "a#b", "50%20", "with space", "ü"])
def test_any_folder_will_do(tmp_path: Path, name: str) -> None:
    home = str(tmp_path / name)
    with database.opened(home) as writer:
        writer.execute("INSERT INTO facts VALUES ('a', 'b')")
    with database.for_reading(home) as reader:
        assert reader.execute("SELECT value FROM facts").fetchone()["value"] == "b"


def test_a_rehearsal_leaves_no_trace(tmp_path: Path) -> None:
    home = tmp_path / "home"
    with database.rehearsal(str(home)) as (connection, _):
        connection.execute("INSERT INTO facts VALUES ('a', 'b')")
    assert not home.exists()
    with database.opened(str(home)) as connection:
        connection.execute("INSERT INTO facts VALUES ('a', 'b')")
    with database.rehearsal(str(home)) as (connection, _):
        assert connection.execute("SELECT value FROM facts").fetchone()[0] == "b"
        connection.execute("DELETE FROM facts")
    with database.for_reading(str(home)) as reader:
        assert reader.execute("SELECT count(*) FROM facts").fetchone()[0] == 1


@table(
    ("path", "address"),
    [
        ("/a b/history.db", "file:/a b/history.db?mode=ro"),
        ("/50%/a?#/history.db", "file:/50%25/a%3f%23/history.db?mode=ro"),
        ("C:\\Users\\me/history.db", "file:/C:/Users/me/history.db?mode=ro"),
        ("\\\\server\\share/history.db", "file:////server/share/history.db?mode=ro"),
    ],
)
def test_the_address_of_a_file(path: str, address: str) -> None:
    assert database.address(path) == address


def test_a_check_that_runs_out_of_time_says_so(tmp_path: Path) -> None:
    with database.opened(str(tmp_path)) as connection:
        assert database.checked(connection, 60.0) == database.Checked([], is_complete=True)
        connection.execute(
            "INSERT INTO facts WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n LIMIT 9999)"
            " SELECT 'name ' || i, 'value' FROM n"
        )
        assert database.checked(connection, 0.0) == database.Checked([], is_complete=False)
        # What comes next on this connection has all the time it needs.
        assert database.faults_of(connection) == []
